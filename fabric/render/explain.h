// A plan for people: one line for each HCA port, interface and variable, and why. Plain text,
// ASCII; names of foreign origin are escaped.
#pragma once

#include "fabric/model/plan.h"
#include "fabric/policy/ownership.h"

#include <string>
#include <string_view>

namespace ferrule {

// Ends with a line end. `node` is the name to speak of.
[[nodiscard]] std::string explain(const EnvPlan& plan, const Ownership& ownership,
                                  std::string_view node);

}  // namespace ferrule
