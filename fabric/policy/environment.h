// From a node, a profile and a job to the environment of its communication libraries. Pure.
#pragma once

#include "fabric/model/plan.h"
#include "fabric/model/profile.h"
#include "fabric/model/snapshot.h"

#include <string>

namespace ferrule {

struct JobWish {
    FabricMode mode{FabricMode::Auto};
    // The GPUs of the job on this node as Slurm tells them; empty when it does not.
    std::string gpus{};
    // MELLANOX_VISIBLE_DEVICES of the job.
    std::string visible_hcas{};
};

// The whole plan, every part with its reason. FabricMode::Off gives an empty one.
[[nodiscard]] EnvPlan plan_environment(const NodeSnapshot& snapshot, const NodeProfile& profile,
                                       const JobWish& wish);

}  // namespace ferrule
