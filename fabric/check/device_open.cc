#include "fabric/check/check_words.h"
#include "fabric/check/checks.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <vector>

#include <system_error>

namespace ferrule {

namespace {

void check_device(const Hca& hca, Findings& findings) {
    constexpr auto kRule = "every rail can be opened";
    if (hca.uverbs.empty()) {
        findings.fail({hca.name, "no verbs device", "a verbs device", kRule, "modprobe ib_uverbs"});
        return;
    }
    if (!hca.openable) {
        findings.fail({hca.name, "no /dev/infiniband/" + hca.uverbs, "the device file", kRule,
                       "look at udev; in a container, give it the device"});
        return;
    }
    const int error = hca.open_error.value_or(0);
    if (error == EACCES || error == EPERM) {
        findings.unknown(hca.name, "opening it needs rights that this process has not");
    } else if (error != 0) {
        findings.fail({hca.name,
                       fmt::format("cannot be opened: {}", std::generic_category().message(error)),
                       "verbs open it", kRule,
                       "look for the provider library in ibv_devices, then at the kernel's log"});
    } else {
        findings.pass(hca.name, hca.open_error ? "verbs open it" : "its verbs device is there");
    }
}

}  // namespace

void check_device_open(const CheckInput& input, Findings& findings) {
    std::vector<const Hca*> seen;
    for (const ScopedPort& port : input.scope.ports) {
        if (std::ranges::count(seen, port.hca) == 0) {
            seen.push_back(port.hca);
            check_device(*port.hca, findings);
        }
    }
}

}  // namespace ferrule
