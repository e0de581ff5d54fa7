// What was found about a user's own values, one line each, for people.
#pragma once

#include "fabric/policy/lint.h"

#include <string>
#include <string_view>
#include <vector>

namespace ferrule {

// "PREFIX NAME: sentence\n" for each; empty for none. Foreign text is escaped.
[[nodiscard]] std::string lint_lines(const std::vector<LintFinding>& findings,
                                     std::string_view prefix);

}  // namespace ferrule
