// Which large packets to send to see whether the way takes them. Pure.
#pragma once

#include "fabric/model/profile.h"
#include "fabric/model/snapshot.h"

#include <vector>

namespace ferrule {

// For every RoCE rail with an interface that is up: its MTU, to each of the profile's mtu_peers
// that this interface leads to. "gateway" is the next hop of a route over it; an address counts for
// the rail in whose subnet it is, or by the route. At most 64.
[[nodiscard]] std::vector<MtuProbe> plan_mtu_probes(const NodeSnapshot& snapshot,
                                                    const NodeProfile& profile);

}  // namespace ferrule
