// The checks of RoCE: interfaces, lossless Ethernet, addresses and the switch.
#include "tests/support/health_world.h"

#include <cerrno>

using namespace ferrule;
using namespace ferrule::testing;

namespace {

constexpr Fabric kIb = Fabric::InfiniBand;
constexpr Fabric kRoce = Fabric::Roce;
constexpr Outcome kPass = Outcome::Pass;
constexpr Outcome kFail = Outcome::Fail;
constexpr Outcome kUnknown = Outcome::Unknown;
constexpr Outcome kNone = Outcome::NotApplicable;
constexpr Severity kWarning = Severity::Warning;
constexpr PrioritySet kFive{32};

void no_dcb(World& it) {
    it.netdev(1).dcb = std::nullopt;
}

void unread_dcb(World& it) {
    no_dcb(it);
    it.unreadable("dcb net_mlx5_1");
}

const std::vector<Case> kLossless{
    {kRoce, "netdev-mtu", nothing, "net_mlx5_0", kPass, "MTU 9000"},
    {kRoce, "netdev-mtu", [](World& it) { it.netdev(1).mtu = 1500; }, "net_mlx5_1", kFail},
    {kRoce, "netdev-mtu", [](World& it) { it.netdev(1).mtu = std::nullopt; }, "net_mlx5_1",
     kUnknown},
    {kRoce, "netdev-mtu", [](World& it) { it.wants().mtu = NumberRange{4200, 9216}; }, "net_mlx5_1",
     kPass},
    {kIb, "netdev-mtu", nothing, "mlx5_0/1", kNone},
    {kRoce, "pfc", nothing, "net_mlx5_0", kPass, "priorities 3"},
    {kRoce, "pfc", [](World& it) { it.dcb(1).pfc->enabled = kFive; }, "net_mlx5_1", kFail,
     "priorities 5"},
    {kRoce, "pfc", [](World& it) { it.wants().pfc = kFive; }, "net_mlx5_1", kFail},
    {kRoce, "pfc", no_dcb, "net_mlx5_1", kNone},
    {kRoce, "pfc", unread_dcb, "net_mlx5_1", kUnknown, "Input/output error"},
    {kRoce, "pfc",
     [](World& it) {
         unread_dcb(it);
         it.wants().pfc = kFive;
     },
     "net_mlx5_1", kUnknown, "Input/output error"},
    {kRoce, "global-pause", nothing, "net_mlx5_0", kPass, "rx off tx off"},
    {kRoce, "global-pause", [](World& it) { it.link(1).pause->receive = true; }, "net_mlx5_1",
     kFail, "rx on"},
    {kRoce, "global-pause",
     [](World& it) {
         it.link(1).pause->receive = true;
         it.dcb(1).pfc->enabled = {};
     },
     "net_mlx5_1", kPass},
    {kRoce, "global-pause", [](World& it) { it.wants().global_pause = Switched::On; }, "net_mlx5_1",
     kFail},
    {kRoce, "global-pause", [](World& it) { it.link(1).pause = std::nullopt; }, "net_mlx5_1",
     kNone},
    {kRoce, "global-pause",
     [](World& it) {
         it.netdev(1).ethernet = std::nullopt;
         it.wants().global_pause = Switched::Off;
     },
     "net_mlx5_1", kUnknown},
    {kRoce, "trust", nothing, "net_mlx5_0", kPass, "dscp"},
    {kRoce, "trust", [](World& it) { it.dcb(1).applications->clear(); }, "net_mlx5_1", kFail,
     "pcp"},
    {kRoce, "trust", [](World& it) { it.wants().trust = TrustMode::Pcp; }, "net_mlx5_1", kFail},
    {kRoce, "trust", no_dcb, "net_mlx5_1", kNone},
    {kRoce, "trust", unread_dcb, "net_mlx5_1", kUnknown, "Input/output error"},
    {kRoce, "dscp-map", nothing, "node", kNone},
    {kRoce, "dscp-map", [](World& it) { it.wants().dscp_map = {{26, 3}, {48, 6}}; }, "net_mlx5_1",
     kPass},
    {kRoce, "dscp-map", [](World& it) { it.wants().dscp_map = {{26, 4}}; }, "net_mlx5_1", kFail,
     "DSCP 26 has priority 3"},
    {kRoce, "dscp-map",
     [](World& it) {
         it.profile.traffic_class = std::uint8_t{106};
         it.wants().pfc = kFive;
     },
     "net_mlx5_1", kFail, "DSCP 26 has priority 3"},
    {kRoce, "dscp-map",
     [](World& it) {
         unread_dcb(it);
         it.wants().dscp_map = {{26, 3}};
     },
     "net_mlx5_1", kUnknown},
    {kRoce, "ets", nothing, "node", kNone},
    {kRoce, "ets",
     [](World& it) {
         it.wants().ets = {{0, TransmitSelection::Ets, std::uint8_t{50}},
                           {3, TransmitSelection::Ets, {}}};
     },
     "net_mlx5_1", kPass},
    {kRoce, "ets", [](World& it) { it.wants().ets = {{6, TransmitSelection::Strict, {}}}; },
     "net_mlx5_1", kFail, "class 6 is ets"},
    {kRoce, "ets",
     [](World& it) { it.wants().ets = {{3, TransmitSelection::Ets, std::uint8_t{80}}}; },
     "net_mlx5_1", kFail, "50 %"},
    {kRoce, "ets",
     [](World& it) {
         unread_dcb(it);
         it.wants().ets = {{3, TransmitSelection::Ets, {}}};
     },
     "net_mlx5_1", kUnknown},
    {kRoce, "receive-buffer", nothing, "net_mlx5_0", kPass, "200000 bytes"},
    {kRoce, "receive-buffer", [](World& it) { it.dcb(1).buffers->sizes[1] = 0; }, "net_mlx5_1",
     kFail, "no buffer"},
    {kRoce, "receive-buffer",
     [](World& it) { it.wants().pfc_buffer = NumberRange{300'000, ~0ULL}; }, "net_mlx5_1", kFail},
    {kRoce, "receive-buffer", [](World& it) { it.dcb(1).buffers = std::nullopt; }, "net_mlx5_1",
     kNone},
    {kRoce, "dcbx", nothing, "net_mlx5_0", kPass, "controlled by the host"},
    {kRoce, "dcbx", [](World& it) { it.dcb(1).dcbx = std::uint8_t{2}; }, "net_mlx5_1", kFail, "",
     kWarning},
    {kRoce, "dcbx", [](World& it) { it.wants().dcbx = DcbxOwner::Firmware; }, "net_mlx5_1", kFail},
    {kRoce, "dcbx", no_dcb, "net_mlx5_1", kNone},
    {kRoce, "dcbx", unread_dcb, "net_mlx5_1", kUnknown, "Input/output error"},
    {kRoce, "fec", nothing, "net_mlx5_0", kPass, "RS"},
    {kRoce, "fec", [](World& it) { it.link(1).fec = "Off"; }, "net_mlx5_1", kFail, "", kWarning},
    {kRoce, "fec", [](World& it) { it.wants().fec = "BaseR"; }, "net_mlx5_1", kFail},
    {kRoce, "fec", [](World& it) { it.link(1).fec = std::nullopt; }, "net_mlx5_1", kNone},
    {kRoce, "ecn", nothing, "net_mlx5_0", kPass},
    {kRoce, "ecn", [](World& it) { it.wants().ecn = kFive; }, "net_mlx5_1", kFail},
    {kRoce, "ecn", [](World& it) { it.netdev(1).ecn_reaction = std::nullopt; }, "net_mlx5_1",
     kNone},
    {kRoce, "ecn",
     [](World& it) {
         it.netdev(1).ecn_reaction = std::nullopt;
         it.wants().ecn = kFive;
     },
     "net_mlx5_1", kUnknown},
    {kRoce, "ecn", [](World& it) { it.port(1).hw_counters->at(3).value = 5000; }, "mlx5_1/1", kFail,
     "5000 packets marked", kWarning},
    {kRoce, "ecn",
     [](World& it) {
         it.port(1).hw_counters->at(3).value = 5000;
         it.port(1).hw_counters->at(4).value = 40;
     },
     "mlx5_1/1", kPass},
    {kRoce, "roce-mode", nothing, "mlx5_0/1", kPass},
    {kRoce, "roce-mode", [](World& it) { it.port(1).cm_gid_type = GidType::RoceV1; }, "mlx5_1/1",
     kFail, "", kWarning},
    {kRoce, "roce-mode", [](World& it) { it.wants().cm_roce_version = 1; }, "mlx5_1/1", kFail},
    {kRoce, "roce-mode", [](World& it) { it.port(1).cm_gid_type = std::nullopt; }, "mlx5_1/1",
     kNone},
    {kRoce, "roce-mode", [](World& it) { it.wants().cm_tos = std::uint8_t{96}; }, "mlx5_1/1", kFail,
     "ToS 104"},
    {kRoce, "roce-mode",
     [](World& it) {
         it.wants().cm_tos = std::uint8_t{96};
         it.port(1).cm_tos = std::nullopt;
     },
     "mlx5_1/1", kUnknown},
};

const std::vector<Case> kSwitches{
    {kRoce, "switch-pfc", nothing, "net_mlx5_0", kPass},
    {kRoce, "switch-pfc", [](World& it) { it.netdev(1).lldp->pfc->enabled = kFive; }, "net_mlx5_1",
     kFail, "leaf1.example port Ethernet1/1 has PFC for 5"},
    {kRoce, "switch-pfc", [](World& it) { it.netdev(1).lldp->pfc = std::nullopt; }, "net_mlx5_1",
     kNone},
    {kRoce, "switch-pfc", [](World& it) { it.netdev(1).lldp = std::nullopt; }, "net_mlx5_1",
     kUnknown},
    {kRoce, "switch-mtu", nothing, "net_mlx5_0", kPass},
    {kRoce, "switch-mtu", [](World& it) { it.netdev(1).lldp->max_frame_size = 9000; }, "net_mlx5_1",
     kPass},
    {kRoce, "switch-mtu", [](World& it) { it.netdev(1).lldp->max_frame_size = 8999; }, "net_mlx5_1",
     kFail, "8999 bytes"},
    {kRoce, "switch-mtu", [](World& it) { it.netdev(1).lldp->max_frame_size = std::nullopt; },
     "net_mlx5_1", kNone},
    {kRoce, "switch-port", nothing, "net_mlx5_0", kPass},
    {kRoce, "switch-port",
     [](World& it) {
         it.wants().switch_ports.values = {"leaf1:Ethernet1/0", "leaf1.example:Ethernet1/1"};
     },
     "net_mlx5_1", kPass},
    {kRoce, "switch-port",
     [](World& it) { it.wants().switch_ports.values = {"leaf1:Ethernet1/1", "leaf1:Ethernet1/0"}; },
     "net_mlx5_1", kFail, "leaf1.example:Ethernet1/1"},
    {kRoce, "switch-port", [](World& it) { it.wants().vlan = std::uint16_t{200}; }, "net_mlx5_1",
     kFail, "VLAN 100"},
    {kRoce, "mtu-path", nothing, "node", kNone},
    {kRoce, "mtu-path", [](World& it) { it.wants().mtu_peers = {"gateway"}; }, "node", kUnknown},
    {kRoce, "mtu-path",
     [](World& it) { it.snapshot.mtu_probes = {{"net_mlx5_1", {}, 9000, true, false, 0}}; },
     "net_mlx5_1", kPass},
    {kRoce, "mtu-path",
     [](World& it) { it.snapshot.mtu_probes = {{"net_mlx5_1", {}, 9000, false, true, 0}}; },
     "net_mlx5_1", kFail, "small packets are not"},
    {kRoce, "mtu-path",
     [](World& it) { it.snapshot.mtu_probes = {{"net_mlx5_1", {}, 9000, false, false, EMSGSIZE}}; },
     "net_mlx5_1", kFail, "do not leave this node"},
    {kRoce, "mtu-path",
     [](World& it) { it.snapshot.mtu_probes = {{"net_mlx5_1", {}, 9000, false, false, 0}}; },
     "net_mlx5_1", kUnknown},
    {kRoce, "mtu-path",
     [](World& it) { it.snapshot.mtu_probes = {{"net_mlx5_1", {}, 9000, false, false, EPERM}}; },
     "net_mlx5_1", kUnknown},
};

const std::vector<Case> kAddresses{
    {kRoce, "gid", nothing, "mlx5_0/1", kPass, "row 3 is 10.0.0.5"},
    {kRoce, "gid", [](World& it) { it.port(1).gids.resize(2); }, "mlx5_1/1", kFail,
     "only link-local GIDs"},
    {kIb, "gid", nothing, "mlx5_0/1", kNone},
    {kRoce, "gid", [](World& it) { it.wants().gid_index = 3; }, "mlx5_0/1", kPass},
    {kRoce, "gid", [](World& it) { it.wants().gid_index = 1; }, "mlx5_0/1", kFail, "row 3"},
    {kRoce, "gid",
     [](World& it) { it.wants().rail_subnets.values = {parse_prefix("10.0.0.0/8").value()}; },
     "mlx5_1/1", kPass},
    {kRoce, "gid-netdev", nothing, "mlx5_0/1", kPass},
    {kRoce, "gid-netdev", [](World& it) { it.port(1).gids[3].netdev = "net_mlx5_0"; }, "mlx5_1/1",
     kFail, "is of net_mlx5_0"},
    {kIb, "gid-netdev", nothing, "node", kNone},
    {kRoce, "gid-moved", nothing, "mlx5_0/1", kPass, "row 3"},
    {kRoce, "gid-moved", [](World& it) { it.port(1).gids[3].index = 5; }, "mlx5_1/1", kFail,
     "row 5", kWarning},
    {kRoce, "gid-moved", [](World& it) { it.history = {}; }, "mlx5_1/1", kPass},
    {kRoce, "gid-duplicate", nothing, "node", kPass},
    {kRoce, "gid-duplicate", [](World& it) { it.port(1).gids[3].gid = it.port(0).gids[3].gid; },
     "mlx5_1/1", kFail, "10.0.0.5, as mlx5_0/1"},
    {kRoce, "shared-subnet", nothing, "node", kPass},
    {kRoce, "shared-subnet",
     [](World& it) { it.netdev(1).addresses[0].address = parse_ip("10.0.0.6").value(); },
     "net_mlx5_1", kPass, "answers for itself"},
    {kRoce, "shared-subnet",
     [](World& it) {
         it.netdev(1).addresses[0].address = parse_ip("10.0.0.6").value();
         it.snapshot.host.sysctls[0].second = "0";
     },
     "net_mlx5_1", kFail, "each answers for all", kWarning},
    {kRoce, "shared-subnet",
     [](World& it) {
         it.netdev(1).addresses[0].address = parse_ip("10.0.0.6").value();
         it.snapshot.host.sysctls.clear();
     },
     "net_mlx5_1", kUnknown},
    {kRoce, "bond-members", nothing, "node", kNone},
};

World bonded() {
    World world = roce_world();
    Netdev first = roce_netdev("ens1", "");
    Netdev second = roce_netdev("ens2", "");
    world.netdev(0).bond = Bond{"802.3ad", {"ens1", "ens2"}, {}};
    world.snapshot.netdevs.push_back(first);
    world.snapshot.netdevs.push_back(second);
    return world;
}

const Finding& worst(const std::vector<Finding>& findings) {
    return findings.front();
}

}  // namespace

TEST_CASE("a fault of lossless Ethernet is found by its check") {
    expect(GENERATE(from_range(kLossless)));
}

TEST_CASE("a fault of the switch or of the way is found by its check") {
    expect(GENERATE(from_range(kSwitches)));
}

TEST_CASE("a fault of an address is found by its check") {
    expect(GENERATE(from_range(kAddresses)));
}

TEST_CASE("a rail without a routable address fails, and is unknown where rows could not be read") {
    World world = roce_world();
    world.profile.rails = {parse_rail_selector("mlx5_0"), parse_rail_selector("mlx5_1")};
    world.port(1).gids.resize(2);
    CHECK(worst(judged(world, "gid")).seen == "only link-local GIDs");
    world.unreadable("sys/class/infiniband/mlx5_1/ports/1/gids/3");
    CHECK(worst(judged(world, "gid")).outcome == Outcome::Unknown);
}

TEST_CASE("a member of a bond that is down is found, and a spare one is a warning") {
    World world = bonded();
    CHECK(worst(judged(world, "bond-members")).outcome == Outcome::Pass);
    world.snapshot.netdevs.back().operstate = "down";
    CHECK(worst(judged(world, "bond-members")).object == "ens2");
    CHECK(worst(judged(world, "bond-members")).severity == Severity::Critical);
    world.netdev(0).bond->mode = "active-backup";
    CHECK(worst(judged(world, "bond-members")).severity == Severity::Warning);
    world.snapshot.netdevs.pop_back();
    CHECK(worst(judged(world, "bond-members")).outcome == Outcome::Unknown);
    world.netdev(0).bond->members.clear();
    CHECK(worst(judged(world, "bond-members")).outcome == Outcome::Fail);
}

TEST_CASE("the members of a bond are judged one by one") {
    World world = bonded();
    world.snapshot.netdevs.back().dcb->pfc->enabled = kFive;
    CHECK(worst(judged(world, "pfc")).object == "ens2");
}
