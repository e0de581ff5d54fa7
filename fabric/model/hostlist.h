// Slurm's hostlist expressions: "n[1-3,7],gpu[08-11]".
// Behaviour follows `scontrol show hostnames` of 22.05, but garbage is refused, not guessed at.
#pragma once

#include "fabric/base/result.h"

#include <string>
#include <string_view>
#include <vector>

namespace ferrule {

// More names than any cluster has nodes; a longer list is an error.
inline constexpr std::size_t kMostHosts = 65536;
// The longest host name; a longer one is an error, found before it is multiplied.
inline constexpr std::size_t kLongestHost = 255;

// All names in order, duplicates kept, zero padding kept. Several bracket groups in one name give
// the product, the last one running fastest. Commas, blanks and line ends separate. An empty text
// gives no names. Errors name the offending part.
[[nodiscard]] Result<std::vector<std::string>> parse_hostlist(std::string_view text);

}  // namespace ferrule
