#include "fabric/check/checks.h"
#include "fabric/check/lldp_words.h"

#include <fmt/format.h>

namespace ferrule {

void check_switch_mtu(const CheckInput& input, Findings& findings) {
    // The frame should have room for header and check sequence too, but switches that run lldpd say
    // their MTU for it.
    for (const Subject& subject : interface_subjects(input)) {
        const LldpNeighbour* const neighbour = neighbour_or_say(input, subject, findings);
        if (neighbour == nullptr) {
            continue;
        }
        const auto mtu = subject.netdev->mtu;
        if (!neighbour->max_frame_size || !mtu) {
            findings.not_applicable(subject.object, "the switch does not say");
            continue;
        }
        const std::string seen =
            fmt::format("{} port {} takes frames of {} bytes", neighbour->system_name,
                        neighbour->port_id, *neighbour->max_frame_size);
        if (*neighbour->max_frame_size >= *mtu) {
            findings.pass(subject.object, seen);
            continue;
        }
        findings.fail({subject.object, seen, fmt::format("{} or more", *mtu),
                       "the interface's MTU fits in", "raise the MTU of the switch port"});
    }
}

}  // namespace ferrule
