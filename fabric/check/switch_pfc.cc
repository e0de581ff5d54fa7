#include "fabric/check/checks.h"
#include "fabric/check/lldp_words.h"

#include <fmt/format.h>

namespace ferrule {

namespace {

// What the host has, or should have.
std::optional<PrioritySet> host_pfc(const CheckInput& input, const Subject& it) {
    if (input.profile.expected.pfc) {
        return input.profile.expected.pfc;
    }
    return it.netdev->dcb && it.netdev->dcb->pfc ? std::optional{it.netdev->dcb->pfc->enabled}
                                                 : std::nullopt;
}

}  // namespace

void check_switch_pfc(const CheckInput& input, Findings& findings) {
    for (const Subject& subject : interface_subjects(input)) {
        const LldpNeighbour* const neighbour = neighbour_or_say(input, subject, findings);
        if (neighbour == nullptr) {
            continue;
        }
        const auto wanted = host_pfc(input, subject);
        if (!neighbour->pfc || !wanted) {
            findings.not_applicable(subject.object, neighbour->pfc ? "the host's PFC is not known"
                                                                   : "the switch does not say");
            continue;
        }
        const PrioritySet there = neighbour->pfc->enabled;
        if (there == *wanted) {
            findings.pass(subject.object, "priorities " + to_text(there));
            continue;
        }
        const bool ruled = input.profile.expected.pfc.has_value();
        findings.fail(
            {subject.object,
             fmt::format("{} port {} has PFC for {}{}", neighbour->system_name, neighbour->port_id,
                         to_text(there), ruled ? "" : ", this end for " + to_text(*wanted)),
             ruled ? to_text(*wanted) : "the same at both ends",
             ruled ? rule_of(input.profile, "pfc") : "both ends pause the same priorities",
             ruled ? "set these priorities on the switch port"
                   : "find out which end is wrong, from the other rails and the site's rule for "
                     "PFC"});
    }
}

}  // namespace ferrule
