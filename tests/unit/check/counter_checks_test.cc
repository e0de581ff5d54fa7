// The checks of counters: limits, flaps, lossy fabrics, counters that stick.
#include "tests/support/health_world.h"

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

const std::vector<Case> kCounters{
    {kIb, "link-errors", nothing, "mlx5_0/1", kPass, "0 events lately"},
    {kIb, "link-errors", [](World& it) { it.port(1).counters->at(0).value += 120; }, "mlx5_1/1",
     kPass, "120 events lately"},
    {kIb, "link-errors", [](World& it) { it.port(1).counters->at(0).value += 121; }, "mlx5_1/1",
     kFail, "121 symbol errors in 1h (symbol_error is 131)"},
    {kIb, "link-errors", [](World& it) { it.port(1).counters->at(0).value = 3; }, "mlx5_1/1",
     kPass},
    {kIb, "link-errors", [](World& it) { it.port(1).counters->at(1).value += 6; }, "mlx5_1/1",
     kFail, "link recoveries in 1m"},
    {kIb, "link-errors",
     [](World& it) {
         it.port(1).counters->at(0).value += 11;
         it.wants().limits = {{"symbol_error", {10, 3600}}};
     },
     "mlx5_1/1", kFail},
    {kIb, "link-errors",
     [](World& it) {
         it.port(1).counters->at(0).value += 1000;
         it.wants().limits = {{"symbol_error", {1000, 3600}}};
     },
     "mlx5_1/1", kPass},
    {kIb, "link-errors",
     [](World& it) {
         it.port(1).counters = std::nullopt;
         it.unreadable("sys/class/infiniband/mlx5_1/ports/1/counters/symbol_error");
     },
     "mlx5_1/1", kUnknown},
    {kIb, "packet-loss", nothing, "mlx5_0/1", kPass},
    {kIb, "packet-loss", [](World& it) { it.port(1).hw_counters->at(0).value = 61; }, "mlx5_1/1",
     kFail, "61 acknowledgement timeouts in 1m", kWarning},
    {kIb, "packet-loss", [](World& it) { it.port(1).hw_counters->at(1).value = 61; }, "mlx5_1/1",
     kFail, "", kWarning},
    {kRoce, "packet-loss", [](World& it) { it.link(1).statistics[0].value = 1; }, "net_mlx5_1",
     kFail, "rx_prio3_discards is 1"},
    {kRoce, "packet-loss", [](World& it) { it.link(1).statistics[1].value = 10'000; }, "net_mlx5_1",
     kPass, "10000 events lately"},
    {kRoce, "packet-loss",
     [](World& it) {
         it.link(1).statistics[1].value = 1;
         it.wants().pfc = PrioritySet{1};
     },
     "net_mlx5_1", kFail},
    {kRoce, "packet-loss", [](World& it) { it.link(1).statistics[2].value = 601; }, "net_mlx5_1",
     kFail, "", kWarning},
    {Fabric::Efa, "packet-loss", [](World& it) { it.port(1).hw_counters->at(0).value = 601; },
     "rdmap1/1", kFail, "", kWarning},
    {kIb, "corruption", [](World& it) { it.port(1).hw_counters->at(2).value = 1; }, "mlx5_1/1",
     kFail, "", kWarning},
    {kRoce, "corruption", [](World& it) { it.link(1).statistics[3].value = 61; }, "net_mlx5_1",
     kFail, "61 frames with a bad check sum"},
    {kRoce, "pause-storm", [](World& it) { it.link(1).statistics[4].value = 1; }, "net_mlx5_1",
     kFail},
    {kRoce, "corruption",
     [](World& it) {
         // A link that trained anew.
         it.link(1).statistics[3].value = 61;
         it.port(1).counters->at(2).value += 1;
     },
     "net_mlx5_1", kFail, "", kWarning},
    {kIb, "link-errors",
     [](World& it) {
         it.port(1).counters->at(0).value += 1000;
         it.port(1).counters->at(2).value += 1;
     },
     "mlx5_1/1", kFail, "", kWarning},
    {kIb, "link-flaps",
     [](World& it) {
         // IPoIB is taken down and up, the link is not.
         it.netdev(1).carrier_downs = it.netdev(1).carrier_downs.value_or(0) + 2;
     },
     "mlx5_1/1", kPass, "no flap"},
    {kIb, "pause-storm", nothing, "node", kNone},
    {kIb, "counter-saturated", nothing, "node", kPass},
    {kIb, "counter-saturated", [](World& it) { it.port(1).counters->at(2).value = 255; },
     "mlx5_1/1", kUnknown, "link_downed stands at its maximum 255"},
    {kIb, "counter-saturated", [](World& it) { it.port(1).hw_counters->at(0).value = 65535; },
     "node", kPass},
    {kIb, "link-flaps", nothing, "mlx5_0/1", kPass, "no flap"},
    {kIb, "link-flaps", [](World& it) { it.port(1).counters->at(2).value = 2; }, "mlx5_1/1", kPass,
     "1 flap lately"},
    {kIb, "link-flaps", [](World& it) { it.port(1).counters->at(2).value = 3; }, "mlx5_1/1", kFail,
     "2 times in 5m"},
    {kRoce, "link-flaps",
     [](World& it) {
         // One flap, seen by the port and by the interface.
         it.port(1).counters->at(2).value = 2;
         it.netdev(1).carrier_downs = 2;
     },
     "mlx5_1/1", kPass, "1 flap lately"},
    {kIb, "link-flaps",
     [](World& it) {
         it.port(1).counters->at(2).value = 2;
         it.wants().flaps = {{1, 60}};
     },
     "mlx5_1/1", kFail},
    {kIb, "link-flaps",
     [](World& it) {
         it.port(1).counters->at(2).value = 20;
         it.wants().flaps = {{100, 60}};
     },
     "mlx5_1/1", kPass, "19 flap lately"},
    {kIb, "link-flaps", [](World& it) { it.port(1).counters = std::nullopt; }, "mlx5_1/1", kUnknown,
     "unlike other devices of this driver"},
    {Fabric::Efa, "link-flaps", nothing, "rdmap0/1", kNone},
};

}  // namespace

TEST_CASE("events beyond a limit are found by the check of their counter") {
    expect(GENERATE(from_range(kCounters)));
}

TEST_CASE("the first run knows no events, whatever the counters hold") {
    World world = infiniband_world();
    world.history = {};
    world.port(1).counters->at(0).value = 65'000;
    world.port(1).counters->at(2).value = 200;
    CHECK(verdict_of(judged(world)) == Verdict::Ok);
}

TEST_CASE("three flaps within twelve hours are too many, one in each run") {
    World world = infiniband_world();
    for (const std::uint64_t hours : {1U, 5U, 9U}) {
        CHECK(judged(world, "link-flaps").front().outcome == Outcome::Pass);
        world.snapshot.host.uptime_ms = kNow + hours * 3'600'000;
        world.port(1).counters->at(2).value += 1;
        world.history = advance(world.history, world.snapshot,
                                followed_counters(world.snapshot, scope_of(world.snapshot, {})));
    }
    CHECK(judged(world, "link-flaps").front().seen == "the link went down 3 times in 12h");
}

TEST_CASE("after a reboot nothing is remembered of the counters") {
    World world = infiniband_world();
    world.port(1).counters->at(0).value = 9'000;
    CHECK(judged(world, "link-errors").front().outcome == Outcome::Fail);
    world.snapshot.host.boot_id = "boot 2";
    CHECK(judged(world, "link-errors").front().outcome == Outcome::Pass);
}
