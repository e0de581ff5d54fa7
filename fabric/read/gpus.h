// GPUs from NVIDIA's proc files, or by PCI class for other vendors and absent drivers.
#pragma once

#include "fabric/model/snapshot.h"
#include "fabric/read/dir.h"

#include <vector>

namespace ferrule {

// In the order Slurm counts them: by minor number where the driver tells it, else by PCI address.
[[nodiscard]] std::vector<Gpu> read_gpus(const Dir& root, std::vector<ReadProblem>& problems);

}  // namespace ferrule
