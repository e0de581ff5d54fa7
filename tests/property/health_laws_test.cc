// Laws of the health check: of what it remembers, of counters, and of what it says of nodes.
#include "fabric/check/learn.h"
#include "fabric/isolate/health_reader.h"
#include "fabric/model/event_limit.h"
#include "fabric/read/settings.h"
#include "fabric/state/history_text.h"
#include "tests/support/catch.h"
#include "tests/support/health_world.h"
#include "tests/support/machine.h"

#include <algorithm>
#include <random>
#include <set>

// After it, since it needs the names above.
#include "tests/property/health_generators.h"

using namespace ferrule;
using namespace ferrule::testing;

namespace {

void law(const std::string& name, const std::function<void()>& holds) {
    INFO(name);
    CHECK(rc::check(name, holds));
}

// Findings that can be held against each other whatever their order.
std::multiset<std::string> said(const std::vector<Finding>& findings) {
    std::multiset<std::string> texts;
    for (const Finding& it : findings) {
        texts.insert(it.check + "|" + it.object + "|" + std::string{to_text(it.outcome)} + "|" +
                     std::string{to_text(it.severity)} + "|" + it.seen + "|" + it.wanted);
    }
    return texts;
}

// Check and object of all that have the outcome.
std::set<Failure> with_outcome(const std::vector<Finding>& findings, Outcome outcome) {
    std::set<Failure> some;
    for (const Finding& it : findings) {
        if (it.outcome == outcome) {
            some.emplace(it.check, it.object);
        }
    }
    return some;
}

int badness(const std::vector<Finding>& findings) {
    switch (verdict_of(findings)) {
        case Verdict::Ok:
            return 0;
        case Verdict::Unknown:
            return 1;
        case Verdict::Warning:
            return 2;
        case Verdict::Critical:
            break;
    }
    return 3;
}

// Full machines of many kinds without a fault.
constexpr const char* kHealthy[] = {"azure-ndv5-ib",
                                    "b300-roce-ipv6",
                                    "bnxt-active-backup",
                                    "broadcom-roce",
                                    "cx7-and-cx6dx-roce",
                                    "dgx-a100-ib",
                                    "dgx-h100-ib",
                                    "gb10-spark",
                                    "gb300-bare-ib",
                                    "h20-roce-bond",
                                    "oci-h100-roce",
                                    "p4d-efa",
                                    "p5-efa",
                                    "no-hca",
                                    "two-networks",
                                    "irdma-e810-roce",
                                    "thor2-roce-ipv6"};

}  // namespace

TEST_CASE("a history reads back as it was written") {
    law("history", [] {
        const History history = *any_history();
        const auto again = parse_history(to_text(history));
        RC_ASSERT(again.has_value());
        RC_ASSERT(*again == history);
    });
}

TEST_CASE("limits read back as they print") {
    law("range", [] {
        const Unit unit = *rc::gen::element(Unit::One, Unit::Tenth);
        const auto low = *rc::gen::inRange<std::uint64_t>(0, 1'000'000'000);
        const auto span = *rc::gen::inRange<std::uint64_t>(0, 1000);
        const auto high =
            *rc::gen::element(low + span, low, std::numeric_limits<std::uint64_t>::max());
        const NumberRange range{low, high};
        RC_ASSERT(parse_number_range(to_text(range, unit), unit) == range);
    });
    law("version", [] {
        const std::string version = *any_version();
        const VersionMatch match = *rc::gen::element(VersionMatch::Exact, VersionMatch::OrNewer);
        const std::vector<VersionRule> rules{{version, match}};
        RC_ASSERT(parse_version_rules(to_text(rules)) == rules);
        RC_ASSERT(rules.front().fits(version));
    });
    law("order of versions", [] {
        const std::string a = *any_version();
        const std::string b = *any_version();
        const std::string c = *any_version();
        RC_ASSERT((compare_versions(a, b) < 0) == (compare_versions(b, a) > 0));
        RC_ASSERT(!(compare_versions(a, b) <= 0 && compare_versions(b, c) <= 0) ||
                  compare_versions(a, c) <= 0);
    });
    law("event limit", [] {
        const EventLimit limit{*rc::gen::arbitrary<std::uint64_t>(),
                               *rc::gen::inRange<std::uint64_t>(1, 10'000) *
                                   *rc::gen::element<std::uint64_t>(1, 60, 3600, 86400)};
        RC_ASSERT(parse_event_limit(to_text(limit)) == limit);
    });
}

TEST_CASE("no event is invented, and within a day none is lost") {
    law("growth", [] {
        World world = infiniband_world();
        History history{};
        std::uint64_t grown = 0;
        std::uint64_t first_ms = kNow;
        const auto runs = *rc::gen::inRange(1, 80);
        for (int run = 0; run < runs; ++run) {
            const auto growth =
                *rc::gen::weightedElement<std::uint64_t>({{3, 0}, {3, 1}, {2, 17}, {1, 5'000'000}});
            const auto pause = *rc::gen::element<std::uint64_t>(1, 999, 60'000, 900'000);
            *world.snapshot.host.uptime_ms += pause;
            world.port(0).hw_counters->at(0).value += growth;
            grown += run == 0 ? 0 : growth;
            first_ms = run == 0 ? *world.snapshot.host.uptime_ms : first_ms;
            history = advance(history, world.snapshot,
                              followed_counters(world.snapshot, scope_of(world.snapshot, {})));
        }
        const CounterTrack& track =
            history.counters.at("mlx5_0/1 hw_counters/local_ack_timeout_err");
        const auto seconds = *rc::gen::inRange<std::uint64_t>(1, 86'400);
        RC_ASSERT(track.increments.size() <= kMostIncrements);
        RC_ASSERT(events_counted(track, history.uptime_ms, 86'400) == grown);
        RC_ASSERT(events_within(track, history.uptime_ms, seconds) <= grown);
        RC_ASSERT(events_within(track, history.uptime_ms, seconds) <=
                  events_within(track, history.uptime_ms, seconds + 1));
    });
    law("with resets", [] {
        World world = infiniband_world();
        History history{};
        std::uint64_t grown = 0;
        std::uint64_t before = 0;
        const auto runs = *rc::gen::inRange(1, 40);
        for (int run = 0; run < runs; ++run) {
            const auto value = *rc::gen::inRange<std::uint64_t>(0, 60'000);
            *world.snapshot.host.uptime_ms += 60'000;
            world.port(0).counters->at(0).value = value;
            grown += run > 0 && value > before ? value - before : 0;
            before = value;
            history = advance(history, world.snapshot,
                              followed_counters(world.snapshot, scope_of(world.snapshot, {})));
        }
        RC_ASSERT(events_counted(history.counters.at("mlx5_0/1 counters/symbol_error"),
                                 history.uptime_ms, 86'400) == grown);
    });
}

TEST_CASE("the order in which devices are read changes nothing that is said") {
    law("order", [] {
        World world = world_of(*rc::gen::element(Fabric::InfiniBand, Fabric::Roce, Fabric::Efa));
        add_faults(world, *rc::gen::inRange(0, 4));
        drop_some(world, *rc::gen::inRange(0, 4));
        const auto before = said(judged(world));
        std::mt19937 chance{*rc::gen::arbitrary<std::uint32_t>()};
        std::ranges::shuffle(world.snapshot.hcas, chance);
        std::ranges::shuffle(world.snapshot.netdevs, chance);
        RC_ASSERT(said(judged(world)) == before);
    });
}

TEST_CASE("a file that cannot be read turns nothing that passed into a failure") {
    law("unreadable", [] {
        World world = world_of(*rc::gen::element(Fabric::InfiniBand, Fabric::Roce, Fabric::Efa));
        if (*rc::gen::arbitrary<bool>()) {
            demand_all(world);
        }
        const auto before = judged(world);
        RC_PRE(with_outcome(before, Outcome::Fail).empty());
        const std::string dropped = drop_some(world, 1);
        const auto failures = with_outcome(judged(world), Outcome::Fail);
        for (const auto& [check, object] : failures) {
            RC_LOG() << dropped << ": " << check << " " << object << "\n";
        }
        RC_ASSERT(failures.empty());
    });
}

TEST_CASE("one fault more never makes a verdict better") {
    law("fault", [] {
        World world = world_of(*rc::gen::element(Fabric::InfiniBand, Fabric::Roce));
        demand_all(world);
        RC_ASSERT(badness(judged(world)) == 0);
        int before = 0;
        for (int i = 0; i < 4; ++i) {
            const std::string fault = add_faults(world, 1);
            const int after = badness(judged(world));
            RC_LOG() << fault << "\n";
            RC_ASSERT(after >= before);
            before = after;
        }
    });
}

TEST_CASE("a machine passes with the profile that was learnt from it") {
    for (const char* const machine : kHealthy) {
        INFO(machine);
        HealthRequest request{};
        request.patience = std::chrono::seconds{60};
        const NodeSnapshot snapshot =
            read_health(machine_tree(machine), Source::Captured, request).value();
        const std::string text = learn_profile({snapshot});
        INFO(text);
        const auto settings = parse_settings("learnt", text);
        REQUIRE(settings);
        const NodeProfile profile = profile_for(*settings, snapshot.hostname);
        CHECK(profile.name == "learnt");
        for (const Finding& it : run_checks(snapshot, profile, {})) {
            INFO(it.check << " " << it.object << " " << it.seen << " " << it.wanted);
            CHECK(it.outcome != Outcome::Fail);
        }
    }
}
