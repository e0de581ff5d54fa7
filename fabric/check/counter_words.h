// How the checks of counters judge: every counter of theirs against its limit. Pure.
#pragma once

#include "fabric/check/check.h"
#include "fabric/check/growth.h"

#include <optional>
#include <string>
#include <string_view>

namespace ferrule {

// Says pass or fail of every object that has a counter of this check, and not applicable where
// none has. A counter that could not be read is said to be unknown.
void judge_counters(const CheckInput& input, std::string_view check, Findings& findings);

// Why counters of this check are not known at a port; nothing where they are, or the driver has
// none.
[[nodiscard]] std::optional<std::string> why_counters_unread(const CheckInput& input,
                                                             const ScopedPort& port,
                                                             CounterPlace place,
                                                             std::string_view check);

}  // namespace ferrule
