// Which ports a health check judges: the rails of the compute fabric, those that should be rails,
// and nothing else. Pure.
#pragma once

#include "fabric/model/plan.h"
#include "fabric/model/profile.h"
#include "fabric/model/snapshot.h"

#include <optional>
#include <string>
#include <vector>

namespace ferrule {

// A port that has to work. Everything points into the snapshot.
struct ScopedPort {
    const Hca* hca{nullptr};
    const Port* port{nullptr};
    // Its own interface, or the bond; none for EFA, and where it is in another namespace.
    const Netdev* netdev{nullptr};
    FabricKind fabric{FabricKind::None};
    // "mlx5_3/1".
    std::string object{};
    // Its place among the profile's rails, else among all of these in PCI order.
    std::size_t rail{0};
    // Why it is held for a rail although it cannot be one as it is; empty for a rail.
    std::string like{};
};

// A port that is not judged, and why.
struct LeftOut {
    std::string object{};
    std::string reason{};
};

struct Scope {
    // In PCI order.
    std::vector<ScopedPort> ports{};
    // Rails of the profile that are not on this node.
    std::vector<std::string> missing{};
    // Ports that the profile calls unused, by object.
    std::vector<std::string> unused{};
    // All others.
    std::vector<LeftOut> left_out{};
    FabricKind kind{FabricKind::None};
};

// With rails in the profile: those. Without: the ports that choose_rails takes, and those like them
// that are not ACTIVE: of the same board, the same function and port number, and as near to a GPU.
// Where no port is ACTIVE: the physical ports beside GPUs. Never a port that the profile calls
// unused.
[[nodiscard]] Scope scope_of(const NodeSnapshot& snapshot, const NodeProfile& profile);

// "mlx5_3/1".
[[nodiscard]] std::string port_object(const Hca& hca, const Port& port);

// Interfaces that carry a port's packets: its own, or the members of its bond.
[[nodiscard]] std::vector<const Netdev*> physical_netdevs(const NodeSnapshot& snapshot,
                                                          const ScopedPort& port);

}  // namespace ferrule
