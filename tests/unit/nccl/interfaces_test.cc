#include "fabric/nccl/interfaces.h"

#include "tests/support/catch.h"
#include "tests/support/state.h"

using namespace ferrule;
using namespace ferrule::testing;

namespace {

constexpr NcclVersion kOld{2, 20, 5};
constexpr NcclVersion kNew{2, 28, 3};

NodeSnapshot node(const std::vector<std::pair<std::string, std::string>>& addresses) {
    NodeSnapshot snapshot{};
    for (const auto& [name, address] : addresses) {
        snapshot.netdevs.push_back(netdev(name, address));
        snapshot.netdevs.back().ifindex = static_cast<int>(snapshot.netdevs.size());
    }
    return snapshot;
}

std::string names(const NodeSnapshot& snapshot, const Environment& environment,
                  const NcclVersion& version) {
    std::string all;
    for (const NcclInterface& it : nccl_interfaces(snapshot, environment, version)) {
        all += (all.empty() ? "" : " ") + it.name;
    }
    return all;
}

}  // namespace

TEST_CASE("without a word NCCL takes ib*, else what is neither docker* nor lo*, else those") {
    CHECK(names(node({{"lo", "127.0.0.1"}, {"eno1", "10.0.0.1"}, {"ib0", "10.1.0.1"}}), {}, kOld) ==
          "ib0");
    CHECK(names(node({{"lo", "127.0.0.1"}, {"docker0", "172.17.0.1"}, {"eno1", "10.0.0.1"}}), {},
                kOld) == "eno1");
    CHECK(names(node({{"lo", "127.0.0.1"}, {"docker0", "172.17.0.1"}}), {}, kOld) == "docker0");
    CHECK(names(node({{"lo", "127.0.0.1"}}), {}, kOld) == "lo");
    // A prefix, so that these are passed over too.
    CHECK(names(node({{"lom1", "10.0.0.1"}, {"docker0", "172.17.0.1"}}), {}, kOld) == "docker0");
}

TEST_CASE("virbr* counts as any other until 2.28.3 puts it last") {
    const NodeSnapshot snapshot =
        node({{"lo", "127.0.0.1"}, {"virbr0", "192.168.122.1"}, {"eno1", "10.0.0.1"}});
    CHECK(names(snapshot, {}, kOld) == "virbr0 eno1");
    CHECK(names(snapshot, {}, kNew) == "eno1");
}

TEST_CASE("an interface without a link is passed over since 2.28.3 only") {
    NodeSnapshot snapshot = node({{"eno1", "10.0.0.1"}, {"eno2", "10.0.1.1"}});
    snapshot.netdevs.front().operstate = "down";
    CHECK(names(snapshot, {}, kOld) == "eno1 eno2");
    CHECK(names(snapshot, {}, kNew) == "eno2");
}

TEST_CASE("the kernel's order decides, not the list's, and one address of each is kept") {
    NodeSnapshot snapshot = node({{"eth0", "10.0.0.1"}, {"eth1", "10.0.1.1"}, {"eth2", "fd00::1"}});
    snapshot.netdevs.front().addresses.insert(snapshot.netdevs.front().addresses.begin(),
                                              {parse_ip("fd00::9").value(), 64});
    const auto found = nccl_interfaces(snapshot, {{"NCCL_SOCKET_IFNAME", "eth2,eth1,eth0"}}, kNew);
    REQUIRE(found.size() == 3);
    CHECK(found.at(0) == NcclInterface{"eth0", parse_ip("10.0.0.1").value()});
    CHECK(found.at(1).name == "eth1");
    CHECK(found.at(2).name == "eth2");
}

TEST_CASE("names are prefixes, and one character is as good as none") {
    const NodeSnapshot snapshot = node({{"bond0", "10.0.0.1"}, {"bond0.2093", "10.9.0.1"}});
    CHECK(names(snapshot, {{"NCCL_SOCKET_IFNAME", "bond0"}}, kNew) == "bond0 bond0.2093");
    CHECK(names(snapshot, {{"NCCL_SOCKET_IFNAME", "=bond0"}}, kNew) == "bond0");
    CHECK(names(snapshot, {{"NCCL_SOCKET_IFNAME", "x"}}, kNew) == "bond0 bond0.2093");
    CHECK(names(snapshot, {{"NCCL_SOCKET_IFNAME", "10.0.0.1"}}, kNew).empty());
}

TEST_CASE("a family leaves only its addresses, and an id only its subnet") {
    NodeSnapshot snapshot = node({{"eth0", "fd00::1"}, {"eth1", "10.0.1.1"}});
    CHECK(names(snapshot, {{"NCCL_SOCKET_FAMILY", "AF_INET6"}}, kNew) == "eth0");
    CHECK(names(snapshot, {{"NCCL_COMM_ID", "10.0.1.7:4000"}}, kNew) == "eth1");
    snapshot.netdevs.front().addresses = {{parse_ip("fe80::1").value(), 64}};
    CHECK(names(snapshot, {{"NCCL_COMM_ID", "[fe80::9]:4000"}}, kNew) == "eth0");
}

TEST_CASE("an id moves the bootstrap into its subnet, whatever the names say") {
    const NodeSnapshot snapshot = node({{"eth0", "10.0.0.1"}, {"eth1", "10.0.1.1"}});
    const auto bootstrap = [&](const std::string& id, const NcclVersion& version) {
        const NcclBootstrap found = nccl_bootstrap(
            snapshot, {{"NCCL_COMM_ID", id}, {"NCCL_SOCKET_IFNAME", "=eth0"}}, version);
        return found.interface ? found.interface->name : found.error;
    };
    CHECK(bootstrap("10.0.1.7:4000", kNew) == "eth1");
    CHECK(bootstrap("10.9.9.9:4000", kNew) == "NET/Socket : No usable listening interface found");
    CHECK_THAT(bootstrap("", kNew), Catch::Matchers::Contains("Invalid NCCL_COMM_ID"));
    // The comparison was the wrong way round.
    CHECK(bootstrap("10.0.1.7:4000", {2, 29, 7}) == "eth0");
    CHECK(bootstrap("10.0.1.7:4000", {2, 30, 3}) == "eth1");
    CHECK(nccl_bootstrap(snapshot, {{"NCCL_SOCKET_IFNAME", "=eth0"}}, kNew).interface->name ==
          "eth0");
}
