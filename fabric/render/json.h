// Plans and snapshots as JSON, keys in a fixed order, two blanks of indent.
#pragma once

#include "fabric/model/plan.h"
#include "fabric/model/snapshot.h"
#include "fabric/policy/ownership.h"

#include <string>
#include <string_view>

namespace ferrule {

// The schema is in ferrule-env(1). Ends with a line end.
[[nodiscard]] std::string plan_json(const EnvPlan& plan, const Ownership& ownership,
                                    std::string_view node);

// Everything that was read.
[[nodiscard]] std::string snapshot_json(const NodeSnapshot& snapshot);

}  // namespace ferrule
