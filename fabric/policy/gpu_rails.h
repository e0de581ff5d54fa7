// The rails of a job that owns some of a node's GPUs. Pure.
#pragma once

#include "fabric/policy/rails.h"

#include <cstddef>
#include <optional>
#include <vector>

namespace ferrule {

// Leaves the rails that NCCL itself would take for the given GPUs (positions in snapshot.gpus): of
// all rails those with the most bandwidth on the way to the GPU, of these the nearest. GPUs that
// tie for the same rails share them, so that jobs side by side on one node do not drive the same
// ones: each gets its part in PCI order, and where rails are fewer than GPUs, one. The other rails
// get their reason. No GPUs, or all of the node, change nothing. Source: ncclTopoGetLocal in
// src/graph/topo.cc, NCCL 2.12 to 2.30.
[[nodiscard]] RailChoice rails_of_gpus(RailChoice choice, const NodeSnapshot& snapshot,
                                       const std::vector<std::size_t>& gpus);

// As many rails as so old an NCCL reads, of each HCA equally many: a tail that is cut off would
// leave whole adapters out. Without `oldest_nccl`, or with few rails, no change.
[[nodiscard]] RailChoice rails_within_limit(RailChoice choice,
                                            const std::optional<NcclVersion>& oldest_nccl);

}  // namespace ferrule
