// The GPUs a job owns on a node, from the text of Slurm's variables. Pure.
#pragma once

#include "fabric/model/gpu.h"

#include <string>
#include <string_view>
#include <vector>

namespace ferrule {

struct JobGpus {
    // Positions in the node's list of GPUs; empty means "not told": every rail is fine.
    std::vector<std::size_t> positions{};
    // One sentence where the text could not be understood.
    std::string note{};
};

// "0,1", "0-3" (numbers as in /dev/nvidiaN), "GPU-<uuid>,..." or "MIG-GPU-<uuid>/1/0,...". On a
// node with divided GPUs the numbers count the parts, in order. Text that does not fit the node
// gives no positions and a note: a wrong guess would take rails away.
[[nodiscard]] JobGpus parse_job_gpus(std::string_view text, const std::vector<Gpu>& gpus);

}  // namespace ferrule
