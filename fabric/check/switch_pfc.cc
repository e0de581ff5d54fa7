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

std::string seen_text(const LldpNeighbour& neighbour, PrioritySet there) {
    return fmt::format("{} port {} has PFC for {}", neighbour.system_name, neighbour.port_id,
                       to_text(there));
}

void contradict(const CheckInput& input, const std::string& object, std::string seen,
                PrioritySet here, Findings& findings) {
    if (input.profile.expected.pfc) {
        findings.fail({object, std::move(seen), to_text(here), rule_of(input.profile, "pfc"),
                       "set these priorities on the switch port"});
    } else {
        findings.fail({object, seen + ", this end for " + to_text(here), "the same at both ends",
                       "both ends pause the same priorities",
                       "find out which end is wrong, from the other rails and the site's rule for "
                       "PFC"});
    }
}

}  // namespace

void check_switch_pfc(const CheckInput& input, Findings& findings) {
    for (const Subject& subject : interface_subjects(input)) {
        const LldpNeighbour* const neighbour = neighbour_or_say(input, subject, findings);
        if (neighbour == nullptr) {
            continue;
        }
        const auto here = host_pfc(input, subject);
        const auto& there = neighbour->pfc;
        if (!there || !here) {
            findings.not_applicable(
                subject.object, there ? "the host's PFC is not known" : "the switch does not say");
        } else if (there->enabled == *here) {
            findings.pass(subject.object, "priorities " + to_text(*here));
        } else {
            contradict(input, subject.object, seen_text(*neighbour, there->enabled), *here,
                       findings);
        }
    }
}

}  // namespace ferrule
