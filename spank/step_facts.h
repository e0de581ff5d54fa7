// What a step's environment tells of the job on this node. Pure. The environment is the user's: it
// is read as a hint about the user's own job and never trusted beyond that.
#pragma once

#include "fabric/model/snapshot.h"
#include "fabric/policy/ownership.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ferrule {

// Special step numbers, slurm.h of 20.11 and later.
inline constexpr std::uint32_t kInteractiveStep = 0xfffffffa;
inline constexpr std::uint32_t kBatchStep = 0xfffffffb;
inline constexpr std::uint32_t kExternStep = 0xfffffffc;

struct StepFacts {
    // Some of the job's other nodes, and where the step was launched from.
    std::vector<Peer> peers{};
    // No other node of the job is missing among them.
    bool all_peers{true};
    // As Slurm counts them; empty when it does not say.
    std::string gpus{};

    bool operator==(const StepFacts&) const = default;
};

// `node` is this node's own name.
[[nodiscard]] StepFacts step_facts(const Environment& environment, std::uint32_t step,
                                   const std::string& node);

}  // namespace ferrule
