// Interfaces by name, and which way packets leave a node. Pure.
#pragma once

#include "fabric/model/snapshot.h"

#include <optional>
#include <string>
#include <string_view>

namespace ferrule {

// nullptr where the node has none of that name.
[[nodiscard]] const Netdev* find_netdev(const NodeSnapshot& snapshot, std::string_view name);

// The route to an address: longest prefix first, then smallest metric. nullptr without one.
[[nodiscard]] const Route* find_route(const std::vector<Route>& routes, const IpAddress& address);

// The netdev of the default route, IPv4 before IPv6; empty without one.
[[nodiscard]] std::string default_route_netdev(const NodeSnapshot& snapshot);

}  // namespace ferrule
