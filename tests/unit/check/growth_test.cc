// How counters grow from run to run, and what history keeps of it.
#include "fabric/check/growth.h"

#include "fabric/check/facts.h"
#include "tests/support/catch.h"
#include "tests/support/state.h"

using namespace ferrule;
using namespace ferrule::testing;

namespace {

constexpr std::uint64_t kMinute = 60'000;
constexpr std::uint64_t kHour = 60 * kMinute;
constexpr std::uint64_t kAnHour = 3600;
constexpr const char* kSymbols = "mlx5_0/1 counters/symbol_error";
constexpr const char* kTimeouts = "mlx5_0/1 hw_counters/local_ack_timeout_err";

// One InfiniBand rail at some moment, its two counters as given.
struct Moment {
    std::uint64_t at_ms{0};
    std::uint64_t symbols{0};
    std::uint64_t timeouts{0};
};

NodeSnapshot node_at(const Moment& moment) {
    NodeSnapshot snapshot{};
    snapshot.rdma_class = true;
    snapshot.hcas = {infiniband("mlx5_0", "0000:18:00.0")};
    Port& port = snapshot.hcas[0].ports[0];
    port.counters = Counters{{"symbol_error", moment.symbols}, {"port_xmit_data", 12345}};
    port.hw_counters = Counters{{"local_ack_timeout_err", moment.timeouts}, {"lifespan", 10}};
    snapshot.host.boot_id = "boot 1";
    snapshot.host.uptime_ms = moment.at_ms;
    return snapshot;
}

History after(const History& before, const NodeSnapshot& snapshot) {
    return advance(before, snapshot, followed_counters(snapshot, scope_of(snapshot, {})));
}

History after_all(const std::vector<Moment>& moments) {
    History history{};
    for (const Moment& moment : moments) {
        history = after(history, node_at(moment));
    }
    return history;
}

// One event for each `every` of them, for `hours`.
History steady(std::uint64_t every, std::uint64_t events, std::uint64_t hours) {
    History history{};
    for (std::uint64_t run = 0; run * every <= hours * kHour; ++run) {
        history = after(history, node_at({kMinute + run * every, run * events, 0}));
    }
    return history;
}

std::uint64_t within(const History& history, std::uint64_t seconds) {
    return events_within(history.counters.at(kSymbols), history.uptime_ms, seconds);
}

}  // namespace

TEST_CASE("the first reading is no event, however large") {
    const History history = after_all({{kMinute, 65535, 1'000'000}});
    REQUIRE(history.counters.size() == 2);
    CHECK(history.boot_id == "boot 1");
    CHECK(history.uptime_ms == kMinute);
    CHECK(history.counters.at(kSymbols) == CounterTrack{65535, kMinute, {}});
    CHECK(within(history, kAnHour) == 0);
}

TEST_CASE("growth is counted, and standing still is not") {
    const History history =
        after_all({{kMinute, 5, 0}, {2 * kMinute, 8, 0}, {3 * kMinute, 8, 0}, {4 * kMinute, 9, 7}});
    CHECK(history.counters.at(kSymbols) ==
          CounterTrack{9, 4 * kMinute, {{kMinute, 2 * kMinute, 3}, {3 * kMinute, 4 * kMinute, 1}}});
    CHECK(history.counters.at(kTimeouts).increments ==
          std::vector<Increment>{{3 * kMinute, 4 * kMinute, 7}});
    CHECK(within(history, kAnHour) == 4);
    CHECK(within(history, 60) == 1);
}

TEST_CASE("a counter that went backwards was reset, unless it is one of 32 bits that wrapped") {
    struct Step {
        std::uint64_t before;
        std::uint64_t now;
        std::uint64_t symbols;
        std::uint64_t timeouts;
    };

    const Step step = GENERATE(Step{100, 0, 0, 0}, Step{100, 99, 0, 0}, Step{0xffffffff, 0, 0, 1},
                               Step{0xfffffff0, 0x10, 0, 0x20}, Step{0x80000000, 5, 0, 0},
                               Step{0xf0000001, 0, 0, 0x0fffffff}, Step{0xf0000000, 0, 0, 0},
                               Step{0x1'0000'0000, 1, 0, 0}, Step{0xffffffff, 0x1'0000'0001, 2, 2},
                               Step{~0ULL, 0, 0, 0});
    INFO(step.before << " " << step.now);
    const History history =
        after_all({{kMinute, step.before, step.before}, {kMinute + 1000, step.now, step.now}});
    const auto& symbols = history.counters.at(kSymbols);
    const auto& timeouts = history.counters.at(kTimeouts);
    CHECK(events_counted(symbols, history.uptime_ms, 60) == step.symbols);
    CHECK(events_counted(timeouts, history.uptime_ms, 60) == step.timeouts);
    CHECK(symbols.last == step.now);
}

TEST_CASE("another boot begins anew, but keeps the records of runs") {
    History before = after_all({{kHour, 5, 5}, {2 * kHour, 9, 9}});
    before.refused["sys/class/infiniband/mlx5_0/ports/1/counters/x"] = 22;
    before.since["mlx5_0/1 DOWN/Polling"] = 5;
    before.last.facts["a"] = "b";
    before.good.time = 7;
    NodeSnapshot snapshot = node_at({3 * kHour, 2, 2});
    SECTION("by its name") {
        snapshot.host.boot_id = "boot 2";
    }
    SECTION("by a clock that went back, which it does within no boot") {
        snapshot.host.uptime_ms = kMinute;
    }

    const History history = after(before, snapshot);

    CHECK(history.counters.at(kSymbols).increments.empty());
    CHECK(history.refused.empty());
    CHECK(history.since.empty());
    CHECK(history.last == before.last);
    CHECK(history.good == before.good);
    CHECK(history.uptime_ms == snapshot.host.uptime_ms);
}

TEST_CASE("without a clock time stands still, and growth is counted all the same") {
    const History before = after_all({{kHour, 5, 5}});
    NodeSnapshot snapshot = node_at({0, 7, 7});
    snapshot.host.uptime_ms = std::nullopt;
    const History history = after(before, snapshot);
    CHECK(history.uptime_ms == kHour);
    CHECK(within(history, 60) == 2);
}

TEST_CASE("more increments than fit are put together, and none is lost") {
    const History history = steady(kMinute, 3, 5);
    const auto& track = history.counters.at(kSymbols);
    CHECK(track.increments.size() == kMostIncrements);
    CHECK(events_counted(track, history.uptime_ms, 24 * kAnHour) == 5 * 60 * 3);
    CHECK(track.increments.back().at_ms == history.uptime_ms);
}

TEST_CASE("however often it is read, an hour's events stay known to a fifth, and never too many") {
    const std::uint64_t every = GENERATE(10'000U, 30'000U, 60'000U, 300'000U, 600'000U);
    const History history = steady(every, 6, 20);
    const std::uint64_t true_events = kHour / every * 6;
    INFO(every << ": " << within(history, kAnHour) << " of " << true_events);
    CHECK(within(history, kAnHour) <= true_events);
    CHECK(within(history, kAnHour) * 5 >= true_events * 4);
}

TEST_CASE("events between two readings count by their share of the window") {
    struct Reading {
        std::uint64_t gap_ms;
        std::uint64_t seconds;
        std::uint64_t events;
    };

    const Reading reading = GENERATE(
        // 240 events since the last reading, and as many since the one before.
        Reading{kHour, 3600, 240}, Reading{2 * kHour, 3600, 120}, Reading{2 * kHour, 7200, 240},
        Reading{12 * kHour, 3600, 20}, Reading{kHour / 2, 3600, 480}, Reading{kHour / 2, 1800, 240},
        Reading{kHour / 2, 2700, 360}, Reading{59 * kMinute, 3600, 245}, Reading{23 * kHour, 60, 1},
        Reading{1, 1, 480});
    INFO(reading.gap_ms << " " << reading.seconds);
    const History history = after_all({{kMinute, 0, 0},
                                       {kMinute + reading.gap_ms, 240, 0},
                                       {kMinute + 2 * reading.gap_ms, 480, 0}});
    CHECK(within(history, reading.seconds) == reading.events);
}

TEST_CASE("a run soon after another makes no burst of what came slowly") {
    const History hourly = after_all({{kHour, 0, 0}, {2 * kHour, 0, 700}});
    const auto timeouts = [](const History& history) {
        return events_within(history.counters.at(kTimeouts), history.uptime_ms, 60);
    };
    CHECK(timeouts(hourly) == 12);
    const History soon = after(hourly, node_at({2 * kHour + 5000, 0, 700}));
    CHECK(timeouts(soon) <= 12);
}

TEST_CASE("a device under the name of another has none of its past") {
    History history = after_all({{kMinute, 5, 5}});
    NodeSnapshot snapshot = node_at({2 * kMinute, 40'000, 9});
    history.last.facts = facts_of(snapshot, {});
    CHECK(within(after(history, snapshot), kAnHour) == 39'995);
    snapshot.hcas[0].node_guid = Guid{0x77};
    const History exchanged = after(history, snapshot);
    CHECK(within(exchanged, kAnHour) == 0);
    CHECK(exchanged.counters.at(kSymbols).last == 40'000);
}

TEST_CASE("one event is never shared away") {
    const History history = after_all({{kMinute, 0, 0}, {20 * kHour, 1, 0}});
    CHECK(within(history, kAnHour) == 1);
}

TEST_CASE("what is a day old is forgotten") {
    SECTION("events") {
        const History history = after_all({{kMinute, 0, 0},
                                           {kHour, 3, 0},
                                           {24 * kHour + 30 * kMinute, 3, 0},
                                           {26 * kHour, 5, 0}});
        CHECK(history.counters.at(kSymbols).increments ==
              std::vector<Increment>{{24 * kHour + 30 * kMinute, 26 * kHour, 2}});
    }
    SECTION("a counter that is not there any more") {
        const History before = after_all({{kMinute, 5, 5}});
        NodeSnapshot snapshot = node_at({24 * kHour, 6, 6});
        snapshot.hcas[0].ports[0].hw_counters = std::nullopt;
        CHECK(after(before, snapshot).counters.size() == 2);
        snapshot.host.uptime_ms = 25 * kHour;
        CHECK(after(before, snapshot).counters.size() == 1);
    }
    SECTION("growth over more than a day is not") {
        const History history = after_all({{kMinute, 5, 5}, {50 * kHour, 100'005, 5}});
        CHECK(events_counted(history.counters.at(kSymbols), history.uptime_ms, 60) == 100'000);
    }
}

TEST_CASE("a counter that was away for a while goes on where it was") {
    History history = after_all({{kMinute, 5, 5}});
    NodeSnapshot without = node_at({2 * kMinute, 0, 0});
    without.hcas[0].ports[0].counters = std::nullopt;
    history = after(history, without);
    history = after(history, node_at({3 * kMinute, 8, 5}));
    CHECK(history.counters.at(kSymbols) ==
          CounterTrack{8, 3 * kMinute, {{kMinute, 3 * kMinute, 3}}});
}

TEST_CASE("since when a port is not ACTIVE is kept until it is, or is something else") {
    NodeSnapshot snapshot = node_at({kMinute, 0, 0});
    Port& port = snapshot.hcas[0].ports[0];
    port.state = PortState::Init;
    History history = after({}, snapshot);
    snapshot.host.uptime_ms = kHour;
    history = after(history, snapshot);
    CHECK(history.since == std::map<std::string, std::uint64_t>{{"mlx5_0/1 INIT/LinkUp", kMinute}});
    port.state = PortState::Down;
    port.phys_state = std::nullopt;
    history = after(history, snapshot);
    CHECK(history.since == std::map<std::string, std::uint64_t>{{"mlx5_0/1 DOWN", kHour}});
    port.state = PortState::Active;
    CHECK(after(history, snapshot).since.empty());
}

TEST_CASE("what counts is followed at ports, devices and the members of bonds") {
    NodeSnapshot snapshot{};
    snapshot.rdma_class = true;
    snapshot.hcas = {roce("mlx5_0", "0000:18:00.0", "10.0.0.5")};
    Hca& hca = snapshot.hcas[0];
    hca.hw_counters = {{"cmds_err", 1}};
    hca.pcie = PciHealth{};
    hca.pcie->fatal_errors = 2;
    hca.ports[0].netdev = "bond0";
    hca.ports[0].counters = Counters{{"link_downed", 3}, {"unknown_to_us", 4}};
    Netdev bond = netdev("bond0", "10.0.0.5");
    bond.bond = Bond{"802.3ad", {"ens1", "ens2", "in_another_namespace"}, {}};
    bond.carrier_downs = 5;
    Netdev first = netdev("ens1");
    first.carrier_downs = 6;
    Netdev second = netdev("ens2");
    second.ethernet = EthernetLink{};
    second.ethernet->statistics = {{"rx_prio5_discards", 7}, {"rx_bytes", 8}};
    second.ethernet->fec_uncorrectable = 9;
    snapshot.netdevs = {bond, first, second};

    std::map<std::string, std::uint64_t> followed;
    for (const FollowedCounter& it : followed_counters(snapshot, scope_of(snapshot, {}))) {
        followed[it.key] = it.value;
    }

    CHECK(followed ==
          std::map<std::string, std::uint64_t>{{"mlx5_0/1 counters/link_downed", 3},
                                               {"mlx5_0 hw_counters/cmds_err", 1},
                                               {"mlx5_0 pcie/fatal", 2},
                                               {"ens1 statistics/carrier_down_count", 6},
                                               {"ens2 statistics/rx_prio5_discards", 7},
                                               {"ens2 statistics/fec uncorrectable", 9}});
}
