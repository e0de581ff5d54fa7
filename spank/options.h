// The options Ferrule adds to srun, sbatch and salloc.
#pragma once

#include "spank/slurm_api.h"

namespace ferrule {

enum class Option { Fabric, FabricExplain };

// False refuses the value; Slurm then says "Invalid --fabric argument" to the user. Called several
// times for one option by some releases of Slurm.
using OptionHandler = bool (*)(Option option, const char* value);

// In every context that knows options: srun, sbatch and salloc, and the step on a node.
void register_options(spank_t spank, OptionHandler handler);

}  // namespace ferrule
