// What this machine's kernel answers about a port, as files of an archive that read_ethernet reads.
#pragma once

#include "fabric/archive/archive.h"
#include "fabric/model/snapshot.h"

namespace ferrule {

// Adds the files of every adapter's netdev and every bond. They hold figures and settings, and of
// names only those of interfaces. What a driver does not have makes no file; what could not be read
// a comment.
void add_ethernet(const NodeSnapshot& snapshot, Archive& archive);

}  // namespace ferrule
