#include "fabric/check/counter_words.h"

#include "fabric/check/check_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

namespace ferrule {

namespace {

PrioritySet lossless(const CheckInput& input, const ScopedPort& port) {
    if (input.profile.expected.pfc) {
        return input.profile.expected.pfc.value_or(PrioritySet{});
    }
    unsigned bits = 0;
    for (const Netdev* const netdev : physical_netdevs(input.snapshot, port)) {
        bits |= netdev->dcb && netdev->dcb->pfc ? netdev->dcb->pfc->enabled.bits : 0U;
    }
    return {static_cast<std::uint8_t>(bits)};
}

// A lossy priority may drop.
bool may_drop(const CheckInput& input, const FollowedCounter& counter) {
    return counter.priority && !lossless(input, *counter.port).has(*counter.priority);
}

// A link that comes up again meets errors while it trains: the flap is the finding, and one heals.
bool came_with_flap(const CheckInput& input, const FollowedCounter& counter,
                    const CounterMeaning& meaning, std::uint64_t seconds) {
    constexpr std::array<std::string_view, 6> kOfTraining{"symbol_error",  "link_recovery",
                                                          "receive_error", "integrity_error",
                                                          "crc_error",     "fec_uncorrectable"};
    return std::ranges::count(kOfTraining, meaning.name) > 0 &&
           std::ranges::any_of(input.counters, [&](const FollowedCounter& other) {
               return other.row->meaning == "link_down" &&
                      other.port->object == counter.port->object &&
                      events_within(input.history, other.key, seconds) > 0;
           });
}

struct Limit {
    EventLimit limit{};
    std::string rule{};
};

Limit limit_of(const NodeProfile& profile, const CounterMeaning& meaning) {
    const auto& limits = profile.expected.limits;
    const auto found = std::ranges::find(limits, meaning.name, &CounterLimit::meaning);
    return found == limits.end()
               ? Limit{meaning.limit, fmt::format("at most {} in {}", meaning.limit.events,
                                                  seconds_text(meaning.limit.seconds))}
               : Limit{found->limit, rule_of(profile, "limits")};
}

// One counter's word: a failure, or how much it grew.
struct Judged {
    bool failed{false};
    std::uint64_t events{0};
};

Judged judge(const CheckInput& input, const FollowedCounter& counter, Findings& findings) {
    const CounterMeaning* const meaning = find_meaning(counter.row->meaning);
    const auto track = input.history.counters.find(counter.key);
    if (meaning == nullptr || track == input.history.counters.end()) {
        return {};
    }
    const Limit limit = limit_of(input.profile, *meaning);
    const std::uint64_t events =
        events_within(track->second, input.history.uptime_ms, limit.limit.seconds);
    if (events <= limit.limit.events || may_drop(input, counter)) {
        return {false, events};
    }
    findings.fail(
        {counter.object,
         fmt::format("{} {} in {} ({} is {})", events, meaning->words,
                     seconds_text(limit.limit.seconds), counter.name, counter.value),
         fmt::format("at most {}", limit.limit.events), limit.rule, std::string{meaning->remedy}},
        came_with_flap(input, counter, *meaning, limit.limit.seconds) ? Severity::Warning
                                                                      : meaning->severity);
    return {true, events};
}

bool is_of(const CounterRow& row, std::string_view check) {
    const CounterMeaning* const meaning = find_meaning(row.meaning);
    return meaning != nullptr && meaning->check == check;
}

// A check looks at counters of this place.
bool is_judged_from(CounterPlace place, std::string_view check) {
    return std::ranges::any_of(counter_rows(), [&](const CounterRow& row) {
        return row.place == place && is_of(row, check);
    });
}

// A file that cannot be read, or its whole folder, hides what this check asks for; a counter of
// another check does not.
bool hides(const ReadProblem& problem, const std::string& folder, CounterPlace place,
           std::string_view check) {
    if (!problem.where.starts_with(folder)) {
        return false;
    }
    const std::string_view file = std::string_view{problem.where}.substr(folder.size());
    const CounterRow* const row = file.empty() ? nullptr : find_counter(place, file.substr(1)).row;
    return file.empty() || (row != nullptr && is_of(*row, check));
}

const std::optional<Counters>& counters_at(const Port& port, CounterPlace place) {
    return place == CounterPlace::Port ? port.counters : port.hw_counters;
}

// A folder that other devices of the same driver have.
bool lacks_folder(const CheckInput& input, const ScopedPort& port, CounterPlace place) {
    return !counters_at(*port.port, place) &&
           std::ranges::any_of(input.scope.ports, [&](const ScopedPort& other) {
               return other.hca->driver == port.hca->driver &&
                      other.hca->function == port.hca->function &&
                      counters_at(*other.port, place).has_value();
           });
}

}  // namespace

std::optional<std::string> why_counters_unread(const CheckInput& input, const ScopedPort& port,
                                               CounterPlace place, std::string_view check) {
    const std::string name = place == CounterPlace::Port ? "counters" : "hw_counters";
    const std::string folder = port_path(port) + name;
    const auto& problems = input.snapshot.problems;
    const auto unread = std::ranges::find_if(
        problems, [&](const ReadProblem& problem) { return hides(problem, folder, place, check); });
    if (unread != problems.end()) {
        return fmt::format("{}: {}", unread->where, unread->what);
    }
    return lacks_folder(input, port, place)
               ? std::optional{"no " + name + ", unlike other devices of this driver"}
               : std::nullopt;
}

namespace {

void say_unread(const CheckInput& input, std::string_view check, Findings& findings) {
    for (const ScopedPort& port : input.scope.ports) {
        for (const CounterPlace place : {CounterPlace::Port, CounterPlace::Hardware}) {
            const auto why = is_judged_from(place, check)
                                 ? why_counters_unread(input, port, place, check)
                                 : std::optional<std::string>{};
            if (why) {
                findings.unknown(port.object, *why);
            }
        }
    }
}

}  // namespace

void judge_counters(const CheckInput& input, std::string_view check, Findings& findings) {
    // By object, how many counters of it are fine, and what they grew by.
    std::map<std::string, std::pair<std::size_t, std::uint64_t>> fine;
    std::map<std::string, bool> failed;
    for (const FollowedCounter& counter : input.counters) {
        if (!is_of(*counter.row, check)) {
            continue;
        }
        const Judged judged = judge(input, counter, findings);
        failed[counter.object] |= judged.failed;
        auto& [count, events] = fine[counter.object];
        count += 1;
        events += judged.events;
    }
    for (const auto& [object, sum] : fine) {
        if (!failed[object]) {
            findings.pass(object,
                          fmt::format("{} counters, {} events lately", sum.first, sum.second));
        }
    }
    say_unread(input, check, findings);
    if (findings.empty()) {
        findings.not_applicable("node", "no rail has such a counter");
    }
}

}  // namespace ferrule
