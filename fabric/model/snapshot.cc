#include "fabric/model/snapshot.h"

#include <algorithm>

namespace ferrule {

bool is_fabric_interface(const NodeSnapshot& snapshot, const Netdev& netdev) {
    const auto stands_on = [&](const Port& port) { return port.netdev == netdev.name; };
    return netdev.kind == NetdevKind::Physical || netdev.kind == NetdevKind::Bond ||
           std::ranges::any_of(snapshot.hcas, [&](const Hca& hca) {
               return std::ranges::any_of(hca.ports, stands_on);
           });
}

}  // namespace ferrule
