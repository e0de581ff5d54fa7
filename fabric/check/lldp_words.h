// Asking the switch: the questions of the checks of its view begin alike. Pure.
#pragma once

#include "fabric/check/compare.h"

namespace ferrule {

// What the switch said on an interface, or nothing, and then why. A switch that is silent on all of
// them is no fault and not applicable; one that is silent on some, or whose frame cannot be
// understood, is unknown there.
[[nodiscard]] const LldpNeighbour* neighbour_or_say(const CheckInput& input, const Subject& it,
                                                    Findings& findings);

}  // namespace ferrule
