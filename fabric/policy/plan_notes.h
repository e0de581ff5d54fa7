// What the user or the admin should know about a node as a whole, one rule a sentence. Pure.
#pragma once

#include "fabric/model/plan.h"
#include "fabric/model/snapshot.h"
#include "fabric/policy/dialects.h"

namespace ferrule {

// Appends to plan.notes; the rest of the plan is made already.
void add_notes(const Intent& intent, const NodeSnapshot& snapshot, EnvPlan& plan);

}  // namespace ferrule
