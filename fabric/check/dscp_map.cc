#include "fabric/check/checks.h"
#include "fabric/check/compare.h"

#include <fmt/format.h>

#include <algorithm>

namespace ferrule {

namespace {

// What the profile wants; its PFC priority for its DSCP where it has no map of its own.
std::vector<DscpPriority> wanted_map(const NodeProfile& profile) {
    if (!profile.expected.dscp_map.empty() || !profile.traffic_class || !profile.expected.pfc) {
        return profile.expected.dscp_map;
    }
    constexpr unsigned kEcnBits = 2;
    const PrioritySet pfc = profile.expected.pfc.value_or(PrioritySet{});
    for (std::uint8_t priority = 0; priority < kPriorities; ++priority) {
        if (pfc == PrioritySet{static_cast<std::uint8_t>(1U << priority)}) {
            return {{static_cast<std::uint8_t>(profile.traffic_class.value_or(0) >> kEcnBits),
                     priority}};
        }
    }
    return {};
}

void check_entry(const CheckInput& input, const Subject& it, const DscpPriority& wanted,
                 Findings& findings) {
    const auto table =
        it.netdev->dcb ? it.netdev->dcb->applications : std::optional<std::vector<AppEntry>>{};
    if (!table) {
        findings.unknown(it.object, why_unread(input.snapshot, dcb_source(it)));
        return;
    }
    const unsigned priority = priority_of_dscp(*table).at(wanted.dscp);
    if (priority == wanted.priority) {
        findings.pass(it.object, fmt::format("DSCP {} has priority {}", wanted.dscp, priority));
        return;
    }
    const bool mapped = !input.profile.expected.dscp_map.empty();
    findings.fail({it.object, fmt::format("DSCP {} has priority {}", wanted.dscp, priority),
                   fmt::format("priority {}", wanted.priority),
                   rule_of(input.profile, mapped ? "dscp_map" : "pfc"),
                   fmt::format("mlnx_qos --dscp2prio set,{},{}, or dcb app add dscp-prio {}:{}",
                               wanted.dscp, wanted.priority, wanted.dscp, wanted.priority)});
}

}  // namespace

void check_dscp_map(const CheckInput& input, Findings& findings) {
    const auto wanted = wanted_map(input.profile);
    for (const Subject& subject : interface_subjects(input)) {
        for (const DscpPriority& entry : wanted) {
            check_entry(input, subject, entry, findings);
        }
    }
    if (wanted.empty()) {
        findings.not_applicable("node", "the profile maps no DSCP");
    }
}

}  // namespace ferrule
