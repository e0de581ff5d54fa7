// What a health check asks of a netdev's files: flaps of its link, and ECN of a vendor's driver.
#include "fabric/read/netdevs.h"

#include "tests/support/catch.h"
#include "tests/support/machine.h"

#include <cerrno>

using namespace ferrule;
using namespace ferrule::testing;

namespace {

const std::string kNetdev = "sys/class/net/eth2/";

Netdev read_eth2(const TemporaryDirectory& tree, Depth depth, std::vector<ReadProblem>& problems) {
    tree.write(kNetdev + "ifindex", "2\n");
    return read_netdev(Dir::open(tree.path()).value(), "eth2", depth, problems);
}

void write_ecn(const TemporaryDirectory& tree, const std::string& point, unsigned priority) {
    for (unsigned i = 0; i < kPriorities; ++i) {
        tree.write(kNetdev + "ecn/" + point + "/enable/" + std::to_string(i),
                   i == priority ? "1\n" : "0\n");
    }
}

}  // namespace

TEST_CASE("flaps and ECN are read for a health check only") {
    TemporaryDirectory tree;
    tree.write(kNetdev + "carrier_down_count", "4294967295\n");
    write_ecn(tree, "roce_np", 3);
    write_ecn(tree, "roce_rp", 8);
    std::vector<ReadProblem> problems;
    const Netdev netdev = read_eth2(tree, Depth::Health, problems);
    CHECK(netdev.carrier_downs == 4294967295U);
    CHECK(netdev.ecn_notification == PrioritySet{1U << 3U});
    CHECK(netdev.ecn_reaction == PrioritySet{0});
    const Netdev full = read_eth2(tree, Depth::Full, problems);
    CHECK_FALSE(full.carrier_downs);
    CHECK_FALSE(full.ecn_notification);
    CHECK(problems.empty());
}

TEST_CASE("a driver of the kernel's own tells nothing of ECN") {
    TemporaryDirectory tree;
    std::vector<ReadProblem> problems;
    const Netdev netdev = read_eth2(tree, Depth::Health, problems);
    CHECK_FALSE(netdev.carrier_downs);
    CHECK_FALSE(netdev.ecn_notification);
    CHECK_FALSE(netdev.ecn_reaction);
    CHECK(problems.empty());
}

TEST_CASE("a priority that does not tell leaves all unknown") {
    TemporaryDirectory tree;
    write_ecn(tree, "roce_np", 3);
    write_ecn(tree, "roce_rp", 3);
    tree.write(kNetdev + "ecn/roce_np/enable/5", "on\n");
    tree.write(kNetdev + "carrier_down_count/is a directory", "");
    std::vector<ReadProblem> problems;
    const Netdev netdev = read_eth2(tree, Depth::Health, problems);
    CHECK_FALSE(netdev.ecn_notification);
    CHECK(netdev.ecn_reaction == PrioritySet{1U << 3U});
    REQUIRE(problems.size() == 2);
    CHECK(problems[0].error_number == EISDIR);
    CHECK(problems[1].where == kNetdev + "ecn/roce_np/enable/5");
}
