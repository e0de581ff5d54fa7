// Which network interface carries bootstrap and TCP traffic to the job's other nodes. Pure.
#pragma once

#include "fabric/model/plan.h"
#include "fabric/model/profile.h"
#include "fabric/model/snapshot.h"

#include <optional>
#include <string>
#include <vector>

namespace ferrule {

struct SocketChoice {
    // Empty when nothing fits.
    std::string name{};
    std::string reason{};
    // A subnet that is known to hold all of the job's nodes: the site's word, or that of the
    // interface where every other node's address is known and in it.
    std::optional<IpPrefix> shared_subnet{};
    // Every interface of the node, in natural order.
    std::vector<InterfaceVerdict> verdicts{};
    // What the user should know about the interface taken.
    std::vector<std::string> notes{};
};

// In this order: the profile's interface, the profile's subnet, the route to most of the job's
// other nodes, the route to the node that launched the step, the default route, the only interface
// with an address. Names are never guessed at.
[[nodiscard]] SocketChoice choose_socket_interface(const NodeSnapshot& snapshot,
                                                   const NodeProfile& profile);

}  // namespace ferrule
