// A node as facts, and what changed between two of them.
#include "fabric/check/facts.h"

#include "tests/support/catch.h"
#include "tests/support/state.h"

using namespace ferrule;
using namespace ferrule::testing;

namespace {

NodeSnapshot roce_node() {
    NodeSnapshot snapshot{};
    snapshot.kernel = "6.8.0";
    snapshot.hcas = {roce("mlx5_0", "0000:18:00.0", "10.0.0.5")};
    snapshot.hcas[0].firmware = "28.39.1002";
    Netdev port = netdev("net_mlx5_0", "10.0.0.5");
    port.mtu = 9000;
    port.carrier = true;
    port.dcb = DcbState{};
    port.dcb->pfc = PfcState{8, PrioritySet{8}, false, 0, {}, {}};
    port.dcb->applications = {{AppSelector::Dscp, 26, 4}};
    port.ethernet = EthernetLink{};
    port.ethernet->pause = PauseState{false, true, false};
    port.lldp = LldpNeighbour{};
    port.lldp->system_name = "leaf1";
    port.lldp->port_id = "Ethernet1/4";
    Netdev veth = netdev("veth0", "10.9.0.1");
    veth.kind = NetdevKind::Virtual;
    snapshot.netdevs = {port, veth};
    return snapshot;
}

}  // namespace

TEST_CASE("a node is stated as facts about its objects") {
    const Facts facts = facts_of(roce_node(), {});

    struct Fact {
        const char* name;
        const char* value;
    };

    const Fact fact = GENERATE(
        Fact{"node kernel", "6.8.0"}, Fact{"node gpus", "0"}, Fact{"mlx5_0 pci", "0000:18:00.0"},
        Fact{"mlx5_0 firmware", "28.39.1002"}, Fact{"mlx5_0/1 state", "ACTIVE"},
        Fact{"mlx5_0/1 rate", "400 Gb/sec (4X NDR)"}, Fact{"mlx5_0/1 netdev", "net_mlx5_0"},
        Fact{"mlx5_0/1 gid 3", "0000:0000:0000:0000:0000:ffff:0a00:0005 RoCE v2 net_mlx5_0"},
        Fact{"mlx5_0/1 pkey 0", "0xffff"}, Fact{"net_mlx5_0 mtu", "9000"},
        Fact{"net_mlx5_0 carrier", "yes"}, Fact{"net_mlx5_0 address 0", "10.0.0.5/24"},
        Fact{"net_mlx5_0 pfc", "3"}, Fact{"net_mlx5_0 trust", "dscp"},
        Fact{"net_mlx5_0 dscp map", "26:4"}, Fact{"net_mlx5_0 pause", "rx on tx off"},
        Fact{"net_mlx5_0 switch port", "leaf1:Ethernet1/4"});
    INFO(fact.name);
    REQUIRE(facts.contains(fact.name));
    CHECK(facts.at(fact.name) == fact.value);
}

TEST_CASE("what is not known, what moves by itself and what is a container's is no fact") {
    NodeSnapshot snapshot = roce_node();
    const Facts before = facts_of(snapshot, {});
    CHECK_FALSE(before.contains("net_mlx5_0 fec"));
    CHECK_FALSE(before.contains("veth0 operstate"));
    snapshot.host.uptime_ms = 12345;
    snapshot.hcas[0].ports[0].counters = Counters{{"symbol_error", 5}};
    snapshot.netdevs[0].carrier_downs = 7;
    snapshot.netdevs[0].dcb->pfc->sent[3] = 99;
    CHECK(facts_of(snapshot, {}) == before);
}

TEST_CASE("changes are in natural order, with what came and what went") {
    const Facts before{
        {"mlx5_2/1 rate", "400"}, {"mlx5_10/1 rate", "400"}, {"same", "x"}, {"gone", "y"}};
    const Facts now{
        {"mlx5_2/1 rate", "200"}, {"mlx5_10/1 rate", "100"}, {"same", "x"}, {"new", "z"}};
    CHECK(changes(before, now) == std::vector<Change>{{"gone", "y", ""},
                                                      {"mlx5_2/1 rate", "400", "200"},
                                                      {"mlx5_10/1 rate", "400", "100"},
                                                      {"new", "", "z"}});
    CHECK(changes(now, now).empty());
}
