// Asking the switch: the questions of the checks of its view begin alike. Pure.
#pragma once

#include "fabric/check/compare.h"

namespace ferrule {

// What the switch said on an interface, or nothing, which is said as not applicable: a switch that
// is silent is no fault.
[[nodiscard]] inline const LldpNeighbour* neighbour_or_say(const Subject& it, Findings& findings) {
    if (!it.netdev->lldp) {
        findings.not_applicable(it.object, "nothing heard of the switch");
        return nullptr;
    }
    return &*it.netdev->lldp;
}

}  // namespace ferrule
