// A plan as lines for a POSIX shell to evaluate.
#pragma once

#include "fabric/policy/ownership.h"

#include <string>
#include <string_view>

namespace ferrule {

// `export NAME='value'` and `unset NAME` for what changes, the marker included; comments for what
// the user keeps and for the notes of the plan.
[[nodiscard]] std::string shell_lines(const EnvPlan& plan, const Ownership& ownership);

// In single quotes, safe for any bytes.
[[nodiscard]] std::string shell_quoted(std::string_view text);

}  // namespace ferrule
