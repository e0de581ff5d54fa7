// Plain files of a node that steer its communication libraries.
#pragma once

#include "fabric/model/snapshot.h"
#include "fabric/read/dir.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ferrule {

// Lines NAME=VALUE of nccl.conf as NCCL takes them: no blank trimmed, no quote removed, "#" begins
// a comment line, the first of two lines wins.
[[nodiscard]] std::vector<std::pair<std::string, std::string>> parse_nccl_conf(
    std::string_view text);

// The soft limit "Max locked memory" of /proc/self/limits, in bytes; absent for "unlimited".
[[nodiscard]] std::optional<std::uint64_t> parse_memlock(std::string_view text);

// PCI functions that call themselves InfiniBand controllers.
[[nodiscard]] unsigned count_infiniband_functions(const Dir& root);

// Fills in nccl_conf and memlock_limit; an absent file is no problem.
void read_host_files(const Dir& root, NodeSnapshot& snapshot);

}  // namespace ferrule
