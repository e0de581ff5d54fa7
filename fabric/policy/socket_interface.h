// Which network interface carries bootstrap and TCP traffic to the job's other nodes. Pure.
#pragma once

#include "fabric/model/plan.h"
#include "fabric/model/profile.h"
#include "fabric/model/snapshot.h"

#include <string>
#include <vector>

namespace ferrule {

struct SocketChoice {
    // Empty when nothing fits.
    std::string name{};
    std::string reason{};
    // Those of the interface, in the kernel's order.
    std::vector<NetAddress> addresses{};
    // Where the job's other nodes are, as far as it is known.
    std::vector<IpAddress> peers{};
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
