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
        most = std::max(most, events_within(input.history, counter->key, seconds));
    }
    return most;
}

// The interface goes down for many reasons besides its link: another channel count or MTU, a P_Key
// of IPoIB that moved. It is asked only where nothing counts the link itself.
bool counts_link(const FollowedCounter& counter) {
    const bool of_port = counter.row->place == CounterPlace::Port;
    return counter.name != "carrier_down_count" && (!of_port || is_infiniband(*counter.port));
}

std::vector<const FollowedCounter*> witnesses_of(const CheckInput& input, const ScopedPort& port) {
    std::vector<const FollowedCounter*> all;
    for (const FollowedCounter& counter : input.counters) {
        const bool ipoib = counter.name == "carrier_down_count" && is_infiniband(port);
        if (counter.port->object == port.object && counter.row->meaning == "link_down" && !ipoib) {
            all.push_back(&counter);
        }
    }
    if (std::ranges::any_of(all, [](const auto* counter) { return counts_link(*counter); })) {
        std::erase_if(all, [](const auto* counter) { return !counts_link(*counter); });
    }
    return all;
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
                 fmt::format("the link went down {} time{} in {}", flaps, flaps == 1 ? "" : "s",
                             seconds_text(limit.seconds)),
                 fmt::format("fewer than {}", limit.events),
                 ruled.empty() ? "one flap heals, more do not" : rule_of(input.profile, "flaps"),
                 "clean and reseat the connectors, then swap the cable, then the port"});
            return;
        }
    }
    findings.pass(port.object, most == 0 ? "no flap" : fmt::format("{} flap lately", most));
}

}  // namespace

void check_link_flaps(const CheckInput& input, Findings& findings) {
    for (const ScopedPort& port : input.scope.ports) {
        const auto counters = witnesses_of(input, port);
        const auto unread = why_counters_unread(input, port, CounterPlace::Port, "link-flaps");
        if (unread) {
            findings.unknown(port.object, *unread);
        }
        if (!counters.empty()) {
            check_port(input, port, counters, findings);
        } else if (!unread) {
            findings.not_applicable(port.object, "nothing counts its flaps");
        }
    }
}

}  // namespace ferrule
