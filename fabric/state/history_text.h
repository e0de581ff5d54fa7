// The history as text, one statement a line, ended by its check sum: a file that was cut short, or
// written by somebody else, does not read. Pure.
#pragma once

#include "fabric/base/result.h"
#include "fabric/model/history.h"

#include <string>
#include <string_view>

namespace ferrule {

// Control characters in names and values become blanks.
[[nodiscard]] std::string to_text(const History& history);

// Errors name the line.
[[nodiscard]] Result<History> parse_history(std::string_view text);

}  // namespace ferrule
