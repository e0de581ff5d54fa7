// The HCAs that a job's containers will see. Pure.
#pragma once

#include "fabric/policy/rails.h"

#include <string>
#include <string_view>

namespace ferrule {

inline constexpr const char* kVisibleHcasName = "MELLANOX_VISIBLE_DEVICES";

// Leaves the rails that enroot's hook for Mellanox devices lets into a container: the variable's
// numbers are positions among the node's mlx4 and mlx5 functions in PCI order. Unset, "all", "void"
// and "none" hide nothing, and neither does a list that would hide every rail. `note` tells what
// was not followed. Source: conf/hooks/99-mellanox.sh of enroot 3.4.
struct VisibleRails {
    RailChoice choice{};
    std::string note{};
};

[[nodiscard]] VisibleRails visible_rails(RailChoice choice, const NodeSnapshot& snapshot,
                                         std::string_view value);

}  // namespace ferrule
