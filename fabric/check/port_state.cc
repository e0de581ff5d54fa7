#include "fabric/check/check_words.h"
#include "fabric/check/checks.h"
#include "fabric/check/facts.h"
#include "fabric/check/growth.h"
#include "fabric/model/event_limit.h"
#include "fabric/policy/rail_rules.h"

#include <algorithm>
#include <array>

namespace ferrule {

namespace {

struct StateWords {
    PortState state;
    PhysState phys_state;
    std::string_view remedy;
};

// What a pair of states means. Source: InfiniBand specification 7.2; the drivers' port queries.
constexpr std::array kMeanings{
    StateWords{PortState::Down, PhysState::Polling,
               "no signal from the other end: look at the cable, the module and the switch port"},
    StateWords{
        PortState::Down, PhysState::Disabled,
        "no link is tried: look whether a cable is in, whether the interface is up (ip link) "
        "and whether the switch port is on; if it is off on purpose, say unused in the profile"},
    StateWords{PortState::Down, PhysState::LinkUp,
               "the cable is fine, and no subnet manager has reached the port"},
    StateWords{PortState::Init, PhysState::LinkUp,
               "the cable is fine, and no subnet manager has configured the port: look at opensm"},
    StateWords{PortState::Armed, PhysState::LinkUp,
               "a subnet manager stopped half way: look at opensm"},
};

std::string_view remedy_of(const Port& port) {
    for (const StateWords& words : kMeanings) {
        if (port.state == words.state && port.phys_state == words.phys_state) {
            return words.remedy;
        }
    }
    if (port.phys_state == PhysState::PortConfigurationTraining ||
        port.phys_state == PhysState::LinkErrorRecovery) {
        return "the link does not hold: look at the cable and the module";
    }
    return "look at the cable, the module and the switch port";
}

std::string seen_of(const CheckInput& input, const ScopedPort& scoped) {
    std::string seen = state_text(*scoped.port);
    const auto since = input.history.since.find(scoped.object + " " + seen);
    if (scoped.netdev != nullptr && scoped.netdev->ethernet &&
        !scoped.netdev->ethernet->down_reason.empty()) {
        seen += ", " + scoped.netdev->ethernet->down_reason;
    }
    if (since != input.history.since.end() && since->second < input.history.uptime_ms) {
        constexpr std::uint64_t kSecond = 1000;
        seen += " for " + seconds_text((input.history.uptime_ms - since->second) / kSecond);
    }
    return seen;
}

// Of a port without a GPU beside it, which never was a rail, nobody knows that it should be one.
Severity severity_of(const CheckInput& input, const ScopedPort& port) {
    const auto earlier = rails_of(input.history.good.facts);
    const bool guessed = input.profile.rails.empty() && !port.like.empty() &&
                         !beside_gpu(*port.hca, input.snapshot) &&
                         std::ranges::count(earlier, port.object) == 0;
    return guessed ? Severity::Warning : Severity::Critical;
}

}  // namespace

void check_port_state(const CheckInput& input, Findings& findings) {
    for (const std::string& object : input.scope.unused) {
        findings.not_applicable(object, "unused, says " + rule_of(input.profile, "unused"));
    }
    for (const ScopedPort& port : input.scope.ports) {
        if (!port.port->state) {
            findings.unknown(port.object, why_unread(input.snapshot, port_path(port) + "state"));
        } else if (is_active(port)) {
            findings.pass(port.object, seen_of(input, port));
        } else {
            findings.fail({port.object, seen_of(input, port), "ACTIVE/LinkUp",
                           port.like.empty() ? "every rail is ACTIVE" : port.like,
                           std::string{remedy_of(*port.port)}},
                          severity_of(input, port));
        }
    }
}

}  // namespace ferrule
