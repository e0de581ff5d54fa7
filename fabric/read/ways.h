// How a node reaches others: addresses of its netdevs, routes, and the job's other nodes.
#pragma once

#include "fabric/read/node.h"

namespace ferrule {

// Fills the addresses of `snapshot.netdevs`, `routes` and `peers`.
void read_ways(const Dir& root, Source source, const ReadRequest& request, NodeSnapshot& snapshot);

}  // namespace ferrule
