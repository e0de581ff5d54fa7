#include "fabric/policy/socket_interface.h"

#include "tests/support/catch.h"
#include "tests/support/state.h"

#include <algorithm>

using namespace ferrule;
using namespace ferrule::testing;
using Catch::Matchers::Contains;

namespace {

// The traps of real nodes: an IPoIB name that libraries like best, containers, a second subnet.
NodeSnapshot busy_node() {
    NodeSnapshot snapshot{};
    snapshot.netdevs = {netdev("bond0", "10.77.0.11"), netdev("bond0.2093", "10.93.0.11"),
                        netdev("docker0", "172.17.0.1"), netdev("ib0", "10.150.0.11"),
                        netdev("lo", "127.0.0.1", 8)};
    snapshot.netdevs.back().kind = NetdevKind::Loopback;
    snapshot.routes = {route("0.0.0.0/0", "bond0.2093"), route("10.77.0.0/24", "bond0"),
                       route("10.93.0.0/24", "bond0.2093"), route("10.150.0.0/24", "ib0")};
    return snapshot;
}

Peer peer(const std::string& name, const std::string& address, PeerRole role = PeerRole::Member) {
    return {name, parse_ip(address), role, {}};
}

}  // namespace

TEST_CASE("the way to the job's other nodes decides, not names") {
    NodeSnapshot snapshot = busy_node();
    snapshot.peers = {peer("n2", "10.77.0.12"), peer("n3", "10.77.0.13")};
    const SocketChoice choice = choose_socket_interface(snapshot, {});
    CHECK(choice.name == "bond0");
    CHECK(choice.reason == "route to n2 (10.77.0.12) and 1 more");
    CHECK(choice.verdicts.size() == snapshot.netdevs.size());
}

TEST_CASE("most of the nodes win where they are reached over different interfaces") {
    NodeSnapshot snapshot = busy_node();
    snapshot.peers = {peer("n2", "10.150.0.12"), peer("n3", "10.77.0.13"),
                      peer("n4", "10.77.0.14")};
    CHECK(choose_socket_interface(snapshot, {}).name == "bond0");
}

TEST_CASE("the kernel's own answer counts more than the table of routes") {
    NodeSnapshot snapshot = busy_node();
    snapshot.peers = {peer("n2", "10.77.0.12")};
    snapshot.peers[0].route = route("10.77.0.12/32", "ib0");
    CHECK(choose_socket_interface(snapshot, {}).name == "ib0");
}

TEST_CASE("the longest prefix and then the smallest metric is the route") {
    NodeSnapshot snapshot = busy_node();
    snapshot.routes.push_back(route("10.77.0.12/32", "ib0", 900));
    snapshot.peers = {peer("n2", "10.77.0.12")};
    CHECK(choose_socket_interface(snapshot, {}).name == "ib0");
    snapshot.routes.push_back(route("10.77.0.12/32", "docker0", 100));
    CHECK(choose_socket_interface(snapshot, {}).name == "docker0");
}

TEST_CASE("the node that launched the step is asked after the members of the job") {
    NodeSnapshot snapshot = busy_node();
    snapshot.peers = {peer("login", "10.150.0.1", PeerRole::Launcher)};
    CHECK(choose_socket_interface(snapshot, {}).name == "ib0");
    snapshot.peers.push_back(peer("n2", "10.77.0.12"));
    CHECK(choose_socket_interface(snapshot, {}).name == "bond0");
}

TEST_CASE("a route over loopback is no way to another node") {
    NodeSnapshot snapshot = busy_node();
    snapshot.routes.push_back(route("10.77.0.12/32", "lo"));
    snapshot.peers = {peer("n2", "10.77.0.12")};
    CHECK(choose_socket_interface(snapshot, {}).name == "bond0.2093");
}

TEST_CASE("without peers the default route decides, then the only address, then nothing") {
    NodeSnapshot snapshot = busy_node();
    CHECK(choose_socket_interface(snapshot, {}).name == "bond0.2093");
    snapshot.routes.clear();
    const SocketChoice none = choose_socket_interface(snapshot, {});
    CHECK(none.name.empty());
    CHECK_THAT(none.reason, Contains("socket_interface"));
    snapshot.netdevs = {netdev("eth0", "10.77.0.11"), netdev("eth1")};
    CHECK(choose_socket_interface(snapshot, {}).name == "eth0");
}

TEST_CASE("a profile's interface or subnet comes first") {
    NodeSnapshot snapshot = busy_node();
    snapshot.peers = {peer("n2", "10.77.0.12")};
    NodeProfile profile{};
    profile.name = "gpu";
    profile.socket_subnet = parse_prefix("10.93.0.0/16");
    CHECK(choose_socket_interface(snapshot, profile).name == "bond0.2093");
    profile.socket_interface = "ib0";
    CHECK(choose_socket_interface(snapshot, profile).name == "ib0");
}

TEST_CASE("a profile's interface that this node lacks is said and not used") {
    NodeSnapshot snapshot = busy_node();
    snapshot.peers = {peer("n2", "10.77.0.12")};
    NodeProfile profile{};
    profile.name = "gpu";
    profile.socket_interface = "eth7";
    const SocketChoice choice = choose_socket_interface(snapshot, profile);
    CHECK(choice.name == "bond0");
    REQUIRE(choice.notes.size() == 1);
    CHECK_THAT(choice.notes[0], Contains("eth7") && Contains("profile gpu"));
}

TEST_CASE("an interface without an address is passed over, and that is said") {
    NodeSnapshot snapshot = busy_node();
    snapshot.peers = {peer("n2", "10.77.0.12")};
    snapshot.netdevs[0].addresses.clear();
    const SocketChoice choice = choose_socket_interface(snapshot, {});
    CHECK(choice.name == "bond0.2093");
    REQUIRE(choice.notes.size() == 1);
    CHECK_THAT(choice.notes[0], Contains("bond0: route to n2") && Contains("no address"));
}

TEST_CASE("an interface that is down is passed over") {
    NodeSnapshot snapshot = busy_node();
    snapshot.netdevs[2].operstate = "down";
    NodeProfile profile{};
    profile.name = "gpu";
    profile.socket_interface = "docker0";
    const SocketChoice choice = choose_socket_interface(snapshot, profile);
    CHECK(choice.name == "bond0.2093");
    CHECK_THAT(choice.notes.at(0), Contains("docker0") && Contains("it is down"));
    profile.socket_interface.reset();
    profile.socket_subnet = parse_prefix("172.16.0.0/12");
    CHECK(choose_socket_interface(snapshot, profile).name == "bond0.2093");
}

TEST_CASE("an interface whose first address is link-local is named") {
    NodeSnapshot snapshot = busy_node();
    snapshot.netdevs[0].addresses.insert(snapshot.netdevs[0].addresses.begin(),
                                         {parse_ip("169.254.9.9").value(), 16});
    snapshot.peers = {peer("n2", "10.77.0.12")};
    CHECK_THAT(choose_socket_interface(snapshot, {}).notes.at(0), Contains("169.254.9.9"));
}
