// A device that verbs does not know; those that it knows are asked in a virtual machine.
#include "fabric/read/verbs.h"

#include "tests/support/catch.h"

#include <cerrno>

using namespace ferrule;

TEST_CASE("a device that verbs does not find has an error and keeps its ports as they are") {
    Hca hca{};
    hca.name = "no such device";
    hca.ports.emplace_back();
    ask_verbs(hca);
    CHECK((hca.open_error == ENODEV || hca.open_error == ENOSYS));
    CHECK_FALSE(hca.ports[0].active_mtu);
    CHECK(hca.ports.size() == 1);
}

// Hidden: tests/vm runs it where there is such a device, on an interface with an MTU of 4200.
TEST_CASE("a Soft-RoCE device opens, and its port has the MTU of its interface", "[.soft-roce]") {
    Hca hca{};
    hca.name = "rxe0";
    hca.ports.emplace_back();
    ask_verbs(hca);
    CHECK(hca.open_error == 0);
    CHECK(hca.ports[0].active_mtu == 4096U);
    CHECK(hca.ports[0].max_mtu == 4096U);
}
