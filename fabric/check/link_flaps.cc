#include "fabric/check/check_words.h"
#include "fabric/check/checks.h"
#include "fabric/check/counter_words.h"
#include "fabric/check/growth.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace ferrule {

namespace {

// Two within five minutes, or three within twelve hours; one heals by itself.
const std::vector<EventLimit>& default_limits() {
    constexpr std::uint64_t kMinute = 60;
    constexpr std::uint64_t kHour = 3600;
    static const std::vector<EventLimit> limits{{2, 5 * kMinute}, {3, 12 * kHour}};
    return limits;
}

// The same event is counted by the port, the driver and the interface: the one that saw most.
std::uint64_t most_flaps(const CheckInput& input,
                         const std::vector<const FollowedCounter*>& counters,
                         std::uint64_t seconds) {
    std::uint64_t most = 0;
    for (const FollowedCounter* const counter : counters) {
        const auto track = input.history.counters.find(counter->key);
        if (track != input.history.counters.end()) {
            most = std::max(most, events_counted(track->second, input.history.uptime_ms, seconds));
        }
    }
    return most;
}

bool is_unread(const NodeSnapshot& snapshot, const std::string& counter) {
    return std::ranges::any_of(
        snapshot.problems, [&](const ReadProblem& problem) { return problem.where == counter; });
}

void check_port(const CheckInput& input, const ScopedPort& port,
                const std::vector<const FollowedCounter*>& counters, Findings& findings) {
    const auto& ruled = input.profile.expected.flaps;
    const auto& limits = ruled.empty() ? default_limits() : ruled;
    std::uint64_t most = 0;
    for (const EventLimit& limit : limits) {
        const std::uint64_t flaps = most_flaps(input, counters, limit.seconds);
        most = std::max(most, flaps);
        if (flaps >= limit.events) {
            findings.fail(
                {port.object,
                 fmt::format("the link went down {} times in {}", flaps,
                             seconds_text(limit.seconds)),
                 fmt::format("fewer than {}", limit.events),
                 ruled.empty() ? "one flap heals, more do not" : rule_of(input.profile, "flaps"),
                 "clean and reseat the connectors, then swap the cable, then the port"});
            return;
        }
    }
    const std::string counter = port_path(port) + "counters/link_downed";
    // IPoIB may be down all the time: its interface does not vouch for the link.
    if (is_infiniband(port) && is_unread(input.snapshot, counter)) {
        findings.unknown(port.object, why_unread(input.snapshot, counter));
        return;
    }
    findings.pass(port.object, most == 0 ? "no flap" : fmt::format("{} flap lately", most));
}

}  // namespace

void check_link_flaps(const CheckInput& input, Findings& findings) {
    for (const ScopedPort& port : input.scope.ports) {
        std::vector<const FollowedCounter*> counters;
        for (const FollowedCounter& counter : input.counters) {
            if (counter.port->object == port.object && counter.row->meaning == "link_down") {
                counters.push_back(&counter);
            }
        }
        const auto unread = why_counters_unread(input, port, CounterPlace::Port, "link-flaps");
        if (unread) {
            findings.unknown(port.object, *unread);
        }
        if (counters.empty()) {
            if (!unread) {
                findings.not_applicable(port.object, "nothing counts its flaps");
            }
        } else {
            check_port(input, port, counters, findings);
        }
    }
}

}  // namespace ferrule
