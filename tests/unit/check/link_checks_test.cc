// The checks of links and of InfiniBand: one thing is wrong, one check says so.
#include "tests/support/health_world.h"

using namespace ferrule;
using namespace ferrule::testing;

namespace {

constexpr Fabric kIb = Fabric::InfiniBand;
constexpr Fabric kRoce = Fabric::Roce;
constexpr Fabric kEfa = Fabric::Efa;
constexpr Outcome kPass = Outcome::Pass;
constexpr Outcome kFail = Outcome::Fail;
constexpr Outcome kUnknown = Outcome::Unknown;
constexpr Outcome kNone = Outcome::NotApplicable;
constexpr Severity kWarning = Severity::Warning;

void down(World& it) {
    it.port(1).state = PortState::Down;
    it.port(1).phys_state = PhysState::Polling;
}

const std::vector<Case> kLinks{
    {kIb, "port-state", nothing, "mlx5_0/1", kPass, "ACTIVE/LinkUp"},
    {kIb, "port-state", down, "mlx5_1/1", kFail, "DOWN/Polling"},
    {kRoce, "port-state",
     [](World& it) {
         down(it);
         it.link(1).down_reason = "No cable";
     },
     "mlx5_1/1", kFail, "DOWN/Polling, No cable"},
    {kIb, "port-state",
     [](World& it) {
         down(it);
         it.history.since["mlx5_1/1 DOWN/Polling"] = kNow - 120'000;
     },
     "mlx5_1/1", kFail, "DOWN/Polling for 2m"},
    {kIb, "port-state",
     [](World& it) {
         it.port(1).state = std::nullopt;
         it.unreadable("sys/class/infiniband/mlx5_1/ports/1/state");
     },
     "mlx5_1/1", kUnknown, "Input/output error"},
    {kIb, "port-state",
     [](World& it) {
         down(it);
         it.wants().unused = {parse_rail_selector("mlx5_1")};
     },
     "mlx5_1/1", kNone},
    {kIb, "link-layer", nothing, "mlx5_0/1", kPass, "InfiniBand"},
    {kIb, "link-layer", [](World& it) { it.port(1).link_layer = LinkLayer::Ethernet; }, "mlx5_1/1",
     kFail, "Ethernet"},
    {kIb, "link-layer", [](World& it) { it.profile.link_layer = LinkLayer::InfiniBand; },
     "mlx5_1/1", kPass},
    {kEfa, "link-layer", nothing, "rdmap0/1", kNone},
    {kIb, "link-rate", nothing, "mlx5_0/1", kPass, "400 Gb/s"},
    {kIb, "link-rate", [](World& it) { it.port(1).rate = LinkRate{2000, 4, "HDR"}; }, "mlx5_1/1",
     kFail, "200 Gb/s"},
    {kIb, "link-rate", [](World& it) { it.port(1).rate = std::nullopt; }, "mlx5_1/1", kUnknown},
    {kIb, "link-rate", [](World& it) { it.port(1).rate = LinkRate{100, 4, "SDR"}; }, "mlx5_1/1",
     kUnknown},
    {kIb, "link-rate", down, "mlx5_1/1", kNone, "not ACTIVE"},
    {kIb, "link-rate", [](World& it) { it.wants().rate = NumberRange{4000, 4000}; }, "mlx5_1/1",
     kPass},
    {kIb, "link-rate", [](World& it) { it.wants().rate = NumberRange{8000, 8000}; }, "mlx5_1/1",
     kFail},
    {kIb, "link-rate",
     [](World& it) { it.port(0).rate = it.port(1).rate = LinkRate{2000, 4, "HDR"}; }, "mlx5_1/1",
     kUnknown, "the rails differ"},
    {kRoce, "link-rate", [](World& it) { it.netdev(1).speed = 100'000; }, "mlx5_1/1", kFail,
     "100 Gb/s"},
    {kEfa, "link-rate", nothing, "rdmap0/1", kNone},
    {kIb, "link-width", nothing, "mlx5_0/1", kPass, "4 lanes"},
    {kIb, "link-width", [](World& it) { it.port(1).rate = LinkRate{2000, 2, "NDR"}; }, "mlx5_1/1",
     kFail, "2 lanes"},
    {kRoce, "link-width", [](World& it) { it.link(1).lanes = 2; }, "mlx5_1/1", kFail},
    {kIb, "link-width", [](World& it) { it.wants().width = NumberRange{4, 4}; }, "mlx5_1/1", kPass},
    {kIb, "active-mtu", nothing, "mlx5_0/1", kPass, "4096 bytes"},
    {kIb, "active-mtu", [](World& it) { it.port(1).active_mtu = 2048; }, "mlx5_1/1", kFail},
    {kIb, "active-mtu", [](World& it) { it.port(1).active_mtu = std::nullopt; }, "mlx5_1/1", kNone},
    {kIb, "active-mtu",
     [](World& it) {
         it.port(1).active_mtu = std::nullopt;
         it.wants().active_mtu = NumberRange{4096, 4096};
     },
     "mlx5_1/1", kUnknown},
    {kRoce, "active-mtu",
     [](World& it) {
         it.port(1).active_mtu = std::nullopt;
         it.netdev(1).mtu = 1500;
     },
     "mlx5_1/1", kFail, "1024 bytes"},
    {kIb, "netdev", nothing, "ib0", kPass},
    {kIb, "netdev", [](World& it) { it.port(1).netdev.clear(); }, "mlx5_1/1", kFail, "", kWarning},
    {kIb, "netdev", [](World& it) { it.snapshot.netdevs.clear(); }, "mlx5_1/1", kNone},
    {kRoce, "netdev", [](World& it) { it.netdev(1).operstate = "down"; }, "net_mlx5_1", kFail},
    {kRoce, "netdev", [](World& it) { it.netdev(1).operstate.clear(); }, "net_mlx5_1", kUnknown},
    {kRoce, "netdev", [](World& it) { it.snapshot.netdevs.pop_back(); }, "mlx5_3/1", kUnknown,
     "not in this network namespace"},
    {kEfa, "netdev", nothing, "rdmap0/1", kNone},
    {kIb, "virtual-function", nothing, "node", kNone},
};

const std::vector<Case> kInfiniBand{
    {kIb, "pkey", nothing, "mlx5_0/1", kPass},
    {kIb, "pkey",
     [](World& it) {
         for (Hca& hca : it.snapshot.hcas) {
             hca.ports[0].pkeys = {{0, Pkey{0x7fff}}, {1, Pkey{0x0001}}};
         }
     },
     "mlx5_1/1", kFail, "0x7fff at 0, 0x0001 at 1"},
    {kIb, "pkey", [](World& it) { it.port(1).pkeys.clear(); }, "mlx5_1/1", kUnknown},
    {kIb, "pkey", down, "mlx5_1/1", kNone},
    {kRoce, "pkey", nothing, "mlx5_0/1", kNone},
    {kIb, "pkey",
     [](World& it) {
         it.profile.pkey = Pkey{0x8001};
         it.port(0).pkeys.push_back({2, Pkey{0x8001}});
     },
     "mlx5_0/1", kPass, "0x8001 in row 2"},
    {kIb, "pkey",
     [](World& it) {
         it.profile.pkey = Pkey{0x8001};
         it.profile.rails = {parse_rail_selector("mlx5_0")};
     },
     "mlx5_0/1", kFail, "0xffff at 0"},
    {kIb, "pkey",
     [](World& it) {
         it.profile.pkey = Pkey{0x8001};
         it.port(0).pkeys.push_back({2, Pkey{0x0001}});
     },
     "mlx5_0/1", kFail, "a limited member"},
    {kIb, "pkey",
     [](World& it) {
         it.profile.pkey = Pkey{0x8001};
         it.wants().pkey_index = 1;
         it.port(0).pkeys.push_back({2, Pkey{0x8001}});
     },
     "mlx5_0/1", kFail, "row 2"},
    {kIb, "sm", nothing, "mlx5_0/1", kPass, "LID 0x11, subnet manager at 0x1"},
    {kIb, "sm", [](World& it) { it.port(1).lid = Lid{0}; }, "mlx5_1/1", kFail},
    {kIb, "sm", [](World& it) { it.port(1).sm_lid = Lid{0xffff}; }, "mlx5_1/1", kFail},
    {kIb, "sm", [](World& it) { it.port(1).sm_lid = std::nullopt; }, "mlx5_1/1", kUnknown},
    {kIb, "sm", [](World& it) { it.wants().sm_lid = Lid{2}; }, "mlx5_1/1", kFail, "", kWarning},
    {kIb, "sm", down, "mlx5_1/1", kNone},
    {kIb, "sm-changed", nothing, "mlx5_0/1", kPass},
    {kIb, "sm-changed", [](World& it) { it.port(1).sm_lid = Lid{9}; }, "mlx5_1/1", kFail, "0x9",
     kWarning},
    {kIb, "sm-changed", [](World& it) { it.history = {}; }, "mlx5_1/1", kPass},
    {kRoce, "sm-changed", nothing, "node", kNone},
};

}  // namespace

TEST_CASE("a fault of a link is found by its check") {
    expect(GENERATE(from_range(kLinks)));
}

TEST_CASE("a fault of InfiniBand is found by its check") {
    expect(GENERATE(from_range(kInfiniBand)));
}

TEST_CASE("a virtual function that is ACTIVE over a port that is down is a failure") {
    World world = infiniband_world();
    Hca& function = world.hca(1);
    function.function = FunctionKind::Virtual;
    function.physical_function = world.hca(0).pci.address;
    world.profile.rails = {parse_rail_selector("mlx5_1")};
    CHECK(judged(world, "virtual-function").front().outcome == Outcome::Pass);
    world.port(0).state = PortState::Down;
    CHECK(judged(world, "virtual-function").front().outcome == Outcome::Fail);
    world.port(0).state = std::nullopt;
    CHECK(judged(world, "virtual-function").front().outcome == Outcome::NotApplicable);
}
