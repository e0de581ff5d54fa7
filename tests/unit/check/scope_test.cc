// Which ports a health check judges.
#include "fabric/check/scope.h"

#include "tests/support/catch.h"
#include "tests/support/state.h"

using namespace ferrule;
using namespace ferrule::testing;

namespace {

using Names = std::vector<std::string>;

NodeSnapshot three_rails() {
    NodeSnapshot snapshot{};
    snapshot.rdma_class = true;
    snapshot.hcas = {infiniband("mlx5_0", "0000:18:00.0"), infiniband("mlx5_1", "0000:29:00.0"),
                     infiniband("mlx5_2", "0000:3a:00.0")};
    return snapshot;
}

void take_down(Hca& hca) {
    hca.ports[0].state = PortState::Down;
    hca.ports[0].phys_state = PhysState::Polling;
}

Names objects(const Scope& scope) {
    Names names;
    names.reserve(scope.ports.size());
    for (const ScopedPort& port : scope.ports) {
        names.push_back(port.object);
    }
    return names;
}

NodeProfile profile_with_rails(const Names& names) {
    NodeProfile profile{};
    profile.rails.reserve(names.size());
    for (const std::string& name : names) {
        profile.rails.push_back(parse_rail_selector(name));
    }
    return profile;
}

}  // namespace

TEST_CASE("without a profile the rails are judged, in PCI order") {
    NodeSnapshot snapshot = three_rails();
    std::swap(snapshot.hcas[0], snapshot.hcas[2]);
    const Scope scope = scope_of(snapshot, {});
    CHECK(objects(scope) == Names{"mlx5_0/1", "mlx5_1/1", "mlx5_2/1"});
    CHECK(scope.kind == FabricKind::InfiniBand);
    CHECK(scope.ports[2].rail == 2);
    CHECK(scope.ports[2].like.empty());
}

TEST_CASE("a port like a rail that does not work is judged") {
    NodeSnapshot snapshot = three_rails();
    SECTION("since it is down") {
        take_down(snapshot.hcas[1]);
    }
    SECTION("since its state cannot be read") {
        snapshot.hcas[1].ports[0].state = std::nullopt;
    }
    SECTION("since it has no verbs device") {
        snapshot.hcas[1].uverbs.clear();
    }
    SECTION("since its device file is missing") {
        snapshot.hcas[1].openable = false;
    }
    SECTION("since it has the other link layer") {
        snapshot.hcas[1].ports[0].link_layer = LinkLayer::Ethernet;
    }
    const Scope scope = scope_of(snapshot, {});
    REQUIRE(objects(scope) == Names{"mlx5_0/1", "mlx5_1/1", "mlx5_2/1"});
    CHECK(scope.ports[1].like == "a card like mlx5_0");
}

TEST_CASE("a port that is down and unlike the rails is nobody's business") {
    NodeSnapshot snapshot = three_rails();
    take_down(snapshot.hcas[1]);
    SECTION("another board") {
        snapshot.hcas[1].board_id = "MT_other";
    }
    SECTION("another device") {
        snapshot.hcas[1].device_id = 0x1017;
    }
    SECTION("another function of a card") {
        snapshot.hcas[1].pci = pci("0000:29:00.1", {"pci0000:29"});
    }
    SECTION("a virtual function") {
        snapshot.hcas[1].function = FunctionKind::Virtual;
    }
    SECTION("the second port") {
        snapshot.hcas[1].ports[0].number = 2;
    }
    CHECK(objects(scope_of(snapshot, {})) == Names{"mlx5_0/1", "mlx5_2/1"});
}

TEST_CASE("a port that the profile calls unused is not judged, and said to be unused") {
    NodeSnapshot snapshot = three_rails();
    take_down(snapshot.hcas[1]);
    NodeProfile profile{};
    profile.expected.unused = {parse_rail_selector("0000:29:00.0")};
    const Scope scope = scope_of(snapshot, profile);
    CHECK(objects(scope) == Names{"mlx5_0/1", "mlx5_2/1"});
    CHECK(scope.unused == Names{"mlx5_1/1"});
}

TEST_CASE("with rails in the profile those are judged, whatever their state, and nothing else") {
    NodeSnapshot snapshot = three_rails();
    take_down(snapshot.hcas[2]);
    const Scope scope = scope_of(snapshot, profile_with_rails({"mlx5_2", "mlx5_0", "mlx5_9"}));
    REQUIRE(objects(scope) == Names{"mlx5_0/1", "mlx5_2/1"});
    CHECK(scope.ports[0].rail == 1);
    CHECK(scope.ports[1].rail == 0);
    CHECK(scope.ports[1].like == "a rail of the profile");
    CHECK(scope.missing == Names{"mlx5_9"});
}

TEST_CASE("on a node without a rail the ports beside GPUs are judged") {
    NodeSnapshot snapshot = three_rails();
    for (Hca& hca : snapshot.hcas) {
        take_down(hca);
    }
    CHECK(scope_of(snapshot, {}).ports.empty());
    CHECK(scope_of(snapshot, {}).kind == FabricKind::None);
    snapshot.hcas[1].pci = pci("0000:29:00.0", {"pci0000:27", "0000:27:01.0", "0000:28:00.0"});
    snapshot.gpus = {gpu(0, "0000:2a:00.0", {"pci0000:27", "0000:27:01.0", "0000:28:01.0"})};
    const Scope scope = scope_of(snapshot, {});
    REQUIRE(objects(scope) == Names{"mlx5_1/1"});
    CHECK(scope.kind == FabricKind::InfiniBand);
    CHECK_FALSE(scope.ports[0].like.empty());
}

TEST_CASE("the interfaces of a port are its own, or those of its bond's members that are here") {
    NodeSnapshot snapshot{};
    snapshot.rdma_class = true;
    snapshot.hcas = {roce("mlx5_0", "0000:18:00.0", "10.0.0.5")};
    snapshot.netdevs = {netdev("net_mlx5_0", "10.0.0.5"), netdev("ens1"), netdev("ens2")};
    Scope scope = scope_of(snapshot, {});
    CHECK(physical_netdevs(snapshot, scope.ports.at(0)) ==
          std::vector<const Netdev*>{&snapshot.netdevs[0]});

    snapshot.netdevs[0].bond = Bond{"802.3ad", {"ens2", "ens9"}, {}};
    scope = scope_of(snapshot, {});
    CHECK(physical_netdevs(snapshot, scope.ports.at(0)) ==
          std::vector<const Netdev*>{&snapshot.netdevs[2]});

    snapshot.netdevs.clear();
    scope = scope_of(snapshot, {});
    CHECK(scope.ports.at(0).netdev == nullptr);
    CHECK(physical_netdevs(snapshot, scope.ports.at(0)).empty());
}
