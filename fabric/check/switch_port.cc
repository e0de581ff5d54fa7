#include "fabric/check/checks.h"
#include "fabric/check/lldp_words.h"

#include <fmt/format.h>

#include <algorithm>

namespace ferrule {

namespace {

// "leaf1:Ethernet1/4", "leaf1" with or without its domain.
bool is_port(std::string_view wanted, const LldpNeighbour& neighbour) {
    const std::size_t colon = wanted.find(':');
    const std::string_view system = wanted.substr(0, colon);
    const std::string_view port = wanted.substr(colon + 1);
    const std::string short_name = neighbour.system_name.substr(0, neighbour.system_name.find('.'));
    return (system == neighbour.system_name || system == short_name) &&
           (port == neighbour.port_id || port == neighbour.port_description);
}

void check_vlan(const CheckInput& input, const Subject& it, const LldpNeighbour& neighbour,
                Findings& findings) {
    const auto wanted = input.profile.expected.vlan;
    if (!wanted || !neighbour.vlan) {
        return;
    }
    const std::string seen = fmt::format("untagged frames are of VLAN {}", *neighbour.vlan);
    if (*wanted == *neighbour.vlan) {
        findings.pass(it.object, seen);
    } else {
        findings.fail({it.object, seen, fmt::format("VLAN {}", *wanted),
                       rule_of(input.profile, "vlan"), "set the VLAN of the switch port"});
    }
}

}  // namespace

void check_switch_port(const CheckInput& input, Findings& findings) {
    for (const Subject& subject : interface_subjects(input)) {
        const LldpNeighbour* const neighbour = neighbour_or_say(input, subject, findings);
        if (neighbour == nullptr) {
            continue;
        }
        const auto& ports = input.profile.expected.switch_ports;
        const std::string* const wanted = ports.of(subject.port.rail);
        const std::string seen = neighbour->system_name + ":" + neighbour->port_id;
        // A bond has several ports, and the profile names one for a rail.
        const bool of_bond = subject.netdev != subject.port.netdev;
        if (wanted == nullptr || of_bond || is_port(*wanted, *neighbour)) {
            findings.pass(subject.object, seen);
        } else {
            findings.fail({subject.object, seen, *wanted, rule_of(input.profile, "switch_ports"),
                           "two cables may be swapped: look where this one leads"});
        }
        check_vlan(input, subject, *neighbour, findings);
    }
}

}  // namespace ferrule
