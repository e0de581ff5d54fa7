// What checks say where a device, a switch or a row of a table is not what it was.
#include "fabric/check/check.h"
#include "fabric/check/facts.h"
#include "tests/support/catch.h"
#include "tests/support/state.h"

#include <algorithm>
#include <cerrno>

using namespace ferrule;
using namespace ferrule::testing;

namespace {

constexpr const char* kAddress = "192.168.100.11";

NodeSnapshot one_rail() {
    Hca hca = infiniband("rxe0", "0000:18:00.0");
    hca.ports[0].link_layer = LinkLayer::Ethernet;
    hca.ports[0].netdev = "eth1";
    hca.ports[0].gids = {row(1, kAddress, GidType::RoceV2, "eth1")};
    Netdev netdev{};
    netdev.name = "eth1";
    NodeSnapshot snapshot{};
    snapshot.rdma_class = true;
    snapshot.hcas = {hca};
    snapshot.netdevs = {netdev};
    return snapshot;
}

std::vector<Finding> judged(const NodeSnapshot& snapshot, const std::string& check,
                            const History& history = {}) {
    return run_checks(snapshot, {}, history, {{check}});
}

History after(const NodeSnapshot& snapshot) {
    History history{};
    history.last.facts = facts_of(snapshot, scope_of(snapshot, {}));
    return history;
}

HungDevice hung(const std::string& name, const std::string& waits_at) {
    return {name, "sysfs of " + name, 2000, true, waits_at};
}

}  // namespace

TEST_CASE("an address has moved also where a later one has its row") {
    const History history = after(one_rail());
    NodeSnapshot moved = one_rail();
    moved.hcas[0].ports[0].gids = {row(1, "192.168.102.11", GidType::RoceV2, "eth1"),
                                   row(2, kAddress, GidType::RoceV2, "eth1")};

    const auto findings = judged(moved, "gid-moved", history);

    REQUIRE(findings.size() == 1);
    CHECK(findings[0].outcome == Outcome::Fail);
    CHECK(findings[0].seen == "192.168.100.11 is in row 2");
    CHECK(findings[0].wanted == "row 1, as in the run before");
    CHECK(judged(moved, "gid-moved", after(moved))[0].outcome == Outcome::Pass);
}

TEST_CASE("a new address beside the others has moved none") {
    NodeSnapshot more = one_rail();
    more.hcas[0].ports[0].gids.push_back(row(2, "192.168.102.11", GidType::RoceV2, "eth1"));
    CHECK(judged(more, "gid-moved", after(one_rail()))[0].outcome == Outcome::Pass);
}

TEST_CASE("a device that waits for another is a warning beside that one") {
    NodeSnapshot snapshot = one_rail();
    const std::string& lock = GENERATE(as<std::string>{}, "rtnl_lock", "dev_ethtool");
    snapshot.hung = {hung("rxe0", lock), hung("eth1", "mlx5_cmd_exec")};

    const auto findings = judged(snapshot, "device-hung");

    REQUIRE(findings.size() == 2);
    CHECK(findings[0].object == "eth1");
    CHECK(findings[0].severity == Severity::Critical);
    CHECK(findings[0].seen ==
          "no answer within 2000 ms while reading sysfs of eth1, inside the kernel "
          "(mlx5_cmd_exec)");
    CHECK(findings[1].object == "rxe0");
    CHECK(findings[1].severity == Severity::Warning);
}

TEST_CASE("a reader that could be killed is a warning beside one that could not") {
    NodeSnapshot snapshot = one_rail();
    snapshot.hung = {hung("eth0", ""), hung("eth1", "mlx5_cmd_exec")};
    snapshot.hung[0].in_kernel = false;

    const auto findings = judged(snapshot, "device-hung");

    REQUIRE(findings.size() == 2);
    CHECK(findings[0].object == "eth1");
    CHECK(findings[1].severity == Severity::Warning);
}

TEST_CASE("a reader that was at work says nothing of its device") {
    NodeSnapshot snapshot = one_rail();
    snapshot.hung = {hung("rxe0", ""), hung("eth1", "")};
    snapshot.hung[0].busy = true;

    const auto findings = judged(snapshot, "device-hung");

    REQUIRE(findings.size() == 2);
    CHECK(findings[0].object == "eth1");
    CHECK(findings[0].outcome == Outcome::Fail);
    CHECK(findings[1].outcome == Outcome::Unknown);
    CHECK(findings[1].seen == "not read within 2000 ms: the node is busy");
}

TEST_CASE("devices that all wait for one that is not seen are warnings") {
    NodeSnapshot snapshot = one_rail();
    snapshot.hung = {hung("rxe0", "rtnl_lock"), hung("eth1", "rtnl_lock")};
    for (const Finding& finding : judged(snapshot, "device-hung")) {
        CHECK(finding.severity == Severity::Warning);
    }
}

TEST_CASE("what a device that hangs would have said is unknown for that reason") {
    NodeSnapshot snapshot = one_rail();
    snapshot.hung = {hung("eth1", "")};
    NodeProfile profile{};
    profile.expected.pfc = PrioritySet{8};

    const auto findings = run_checks(snapshot, profile, {}, {{"pfc"}});

    CHECK(findings[0].outcome == Outcome::Unknown);
    CHECK(findings[0].seen == "eth1 does not answer");
}

TEST_CASE("a silent switch is not applicable, one that is not understood unknown") {
    NodeSnapshot snapshot = one_rail();
    CHECK(judged(snapshot, "switch-mtu")[0].outcome == Outcome::NotApplicable);
    snapshot.problems = {{"lldp eth1", ECONNABORTED, "the neighbour says that it goes away"}};
    CHECK(judged(snapshot, "switch-mtu")[0].outcome == Outcome::NotApplicable);
    snapshot.problems = {{"lldp eth1", EBADMSG, "lldp: PFC cut short"}};
    const auto findings = judged(snapshot, "switch-mtu");
    CHECK(findings[0].outcome == Outcome::Unknown);
    CHECK(findings[0].seen == "the switch's frame: lldp: PFC cut short");
    snapshot.problems = {{"lldp", EPERM, "lldp: socket"}};
    CHECK(judged(snapshot, "switch-mtu")[0].outcome == Outcome::Unknown);
}
