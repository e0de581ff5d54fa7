#include "fabric/policy/routes.h"

#include <algorithm>
#include <tuple>

namespace ferrule {

const Netdev* find_netdev(const NodeSnapshot& snapshot, std::string_view name) {
    const auto found = std::ranges::find(snapshot.netdevs, name, &Netdev::name);
    return found == snapshot.netdevs.end() ? nullptr : &*found;
}

const Route* find_route(const std::vector<Route>& routes, const IpAddress& address) {
    const auto better = [](const Route& left, const Route& right) {
        return std::tuple{right.destination.length, left.metric} <
               std::tuple{left.destination.length, right.metric};
    };
    const Route* best = nullptr;
    for (const Route& route : routes) {
        if (route.destination.contains(address) && (best == nullptr || better(route, *best))) {
            best = &route;
        }
    }
    return best;
}

std::string default_route_netdev(const NodeSnapshot& snapshot) {
    for (const IpFamily family : {IpFamily::V4, IpFamily::V6}) {
        const Route* best = nullptr;
        for (const Route& route : snapshot.routes) {
            if (route.destination.length == 0 && route.destination.address.family == family &&
                (best == nullptr || route.metric < best->metric)) {
                best = &route;
            }
        }
        if (best != nullptr) {
            return best->netdev;
        }
    }
    return {};
}

}  // namespace ferrule
