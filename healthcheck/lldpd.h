// What the switches say, from a file of the daemon lldpd: where it runs, nobody else needs to
// listen.
#pragma once

#include "fabric/base/result.h"
#include "fabric/model/snapshot.h"
#include "fabric/read/trusted_file.h"

#include <cstdint>
#include <string>

namespace ferrule {

// Gives each interface the neighbour that the file has for it, unless it has one already. A file
// that cannot be read, or that was written longer ago than a switch's word holds (ten minutes
// before `now`, in seconds since 1970), is an error, and a problem
// of the snapshot too.
[[nodiscard]] Result<void> add_lldpd_neighbours(const std::string& path, Trust trust,
                                                std::int64_t now, NodeSnapshot& snapshot);

}  // namespace ferrule
