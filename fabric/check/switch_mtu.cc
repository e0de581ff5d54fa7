#include "fabric/check/checks.h"
#include "fabric/check/lldp_words.h"

#include <fmt/format.h>

namespace ferrule {

void check_switch_mtu(const CheckInput& input, Findings& findings) {
    // Ethernet header and check sequence; a VLAN tag may come on top.
    constexpr unsigned kFraming = 18;
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
        if (*neighbour->max_frame_size >= *mtu + kFraming) {
            findings.pass(subject.object, seen);
            continue;
        }
        findings.fail({subject.object, seen, fmt::format("{} or more", *mtu + kFraming),
                       fmt::format("MTU {} and its framing fit", *mtu),
                       "raise the MTU of the switch port"});
    }
}

}  // namespace ferrule
