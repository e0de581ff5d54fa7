#include "fabric/check/scope.h"

#include "fabric/policy/rail_rules.h"
#include "fabric/policy/rails.h"
#include "fabric/policy/routes.h"

#include <algorithm>

namespace ferrule {

namespace {

bool is_unused(const NodeProfile& profile, const Hca& hca, const Port& port) {
    return std::ranges::any_of(profile.expected.unused, [&](const RailSelector& selector) {
        return selects(selector, hca, port);
    });
}

// Everything by which a card of a class of nodes is known, but for its place.
bool same_kind(const Hca& left, const Hca& right) {
    return left.vendor_id == right.vendor_id && left.device_id == right.device_id &&
           left.board_id == right.board_id && left.function == right.function;
}

bool same_function(const Hca& left, const Hca& right) {
    const auto& a = left.pci.address;
    const auto& b = right.pci.address;
    return a && b && a->function == b->function;
}

// As a rail, but for a fault.
bool is_like(const Rail& rail, const Hca& hca, const Port& port, const NodeSnapshot& snapshot) {
    return same_kind(*rail.hca, hca) && same_function(*rail.hca, hca) &&
           rail.port->number == port.number &&
           beside_gpu(*rail.hca, snapshot) == beside_gpu(hca, snapshot);
}

// A fault, as opposed to a role: the port does not work.
bool cannot_work(const Hca& hca, const Port& port) {
    constexpr Lid kUnassigned{0xffff};
    return port.state != PortState::Active || hca.uverbs.empty() || !hca.openable ||
           (port.link_layer == LinkLayer::InfiniBand && port.lid == kUnassigned);
}

struct Chooser {
    const NodeSnapshot& snapshot;
    const NodeProfile& profile;
    const RailChoice& choice;

    // Why a port is to be judged; nothing for one that is not.
    [[nodiscard]] std::optional<std::string> like(const Hca& hca, const Port& port) const {
        const bool rail = std::ranges::any_of(
            choice.rails, [&](const Rail& it) { return it.hca == &hca && it.port == &port; });
        if (rail) {
            return std::string{};
        }
        if (!profile.rails.empty()) {
            const bool named = std::ranges::any_of(
                profile.rails, [&](const RailSelector& it) { return selects(it, hca, port); });
            return named ? std::optional{std::string{"a rail of the profile"}} : std::nullopt;
        }
        if (!choice.rails.empty()) {
            return like_a_rail(hca, port);
        }
        return beside_gpus_only(hca, port);
    }

  private:
    [[nodiscard]] std::optional<std::string> like_a_rail(const Hca& hca, const Port& port) const {
        const auto found = std::ranges::find_if(
            choice.rails, [&](const Rail& rail) { return is_like(rail, hca, port, snapshot); });
        const bool like = found != choice.rails.end() &&
                          (cannot_work(hca, port) || lacks_what_rails_have(hca, port) ||
                           came_up_otherwise(hca, port, *found->port));
        return like ? std::optional{"a card like " + found->hca->name} : std::nullopt;
    }

    // A port of a VPI card has the link layer that its firmware was told; that of a virtual
    // function is its host's decision.
    [[nodiscard]] static bool came_up_otherwise(const Hca& hca, const Port& port,
                                                const Port& rail) {
        return hca.function == FunctionKind::Physical && port.link_layer != rail.link_layer;
    }

    // An ACTIVE port that was turned away for its tables: no GID, no full membership.
    [[nodiscard]] bool lacks_what_rails_have(const Hca& hca, const Port& port) const {
        const auto verdict = std::ranges::find_if(choice.verdicts, [&](const PortVerdict& it) {
            return it.hca == hca.name && it.port == port.number;
        });
        const bool role = hca.function != FunctionKind::Physical &&
                          std::ranges::any_of(snapshot.hcas, [&](const Hca& other) {
                              return other.pci.address == hca.physical_function;
                          });
        return verdict != choice.verdicts.end() && !role && beside_gpu(hca, snapshot) &&
               !is_foreign({{&hca, &port}, {}}, {snapshot, profile});
    }

    [[nodiscard]] std::optional<std::string> beside_gpus_only(const Hca& hca,
                                                              const Port& port) const {
        const bool candidate = hca.function == FunctionKind::Physical && port.number == 1 &&
                               beside_gpu(hca, snapshot) &&
                               !is_foreign({{&hca, &port}, {}}, {snapshot, profile});
        return candidate ? std::optional{std::string{"beside a GPU, on a node without a rail"}}
                         : std::nullopt;
    }
};

std::size_t place_of(const NodeProfile& profile, const ScopedPort& port, std::size_t in_pci_order) {
    const auto found = std::ranges::find_if(profile.rails, [&](const RailSelector& selector) {
        return selects(selector, *port.hca, *port.port);
    });
    return found == profile.rails.end() ? in_pci_order
                                        : static_cast<std::size_t>(found - profile.rails.begin());
}

const Netdev* netdev_of(const NodeSnapshot& snapshot, const Port& port) {
    return port.netdev.empty() ? nullptr : find_netdev(snapshot, port.netdev);
}

}  // namespace

std::string port_object(const Hca& hca, const Port& port) {
    return hca.name + "/" + std::to_string(port.number);
}

Scope scope_of(const NodeSnapshot& snapshot, const NodeProfile& profile) {
    const RailChoice choice = choose_rails(snapshot, profile);
    const Chooser chooser{snapshot, profile, choice};
    Scope scope{};
    scope.kind = choice.kind;
    scope.missing = choice.missing;
    // The verdicts are all ports in PCI order.
    for (const PortVerdict& verdict : choice.verdicts) {
        const auto hca = std::ranges::find(snapshot.hcas, verdict.hca, &Hca::name);
        const auto port = std::ranges::find(hca->ports, verdict.port, &Port::number);
        if (is_unused(profile, *hca, *port)) {
            scope.unused.push_back(port_object(*hca, *port));
            continue;
        }
        const auto like = chooser.like(*hca, *port);
        if (!like) {
            scope.left_out.push_back({port_object(*hca, *port), verdict.reason});
            continue;
        }
        ScopedPort scoped{&*hca,
                          &*port,
                          netdev_of(snapshot, *port),
                          fabric_of(*hca, *port),
                          port_object(*hca, *port),
                          0,
                          *like};
        scoped.rail = place_of(profile, scoped, scope.ports.size());
        scope.ports.push_back(std::move(scoped));
    }
    if (scope.kind == FabricKind::None && !scope.ports.empty()) {
        scope.kind = scope.ports.front().fabric;
    }
    return scope;
}

std::vector<const Netdev*> physical_netdevs(const NodeSnapshot& snapshot, const ScopedPort& port) {
    std::vector<const Netdev*> netdevs;
    if (port.netdev == nullptr) {
        return netdevs;
    }
    if (!port.netdev->bond) {
        netdevs.push_back(port.netdev);
        return netdevs;
    }
    for (const std::string& member : port.netdev->bond->members) {
        if (const Netdev* const netdev = find_netdev(snapshot, member)) {
            netdevs.push_back(netdev);
        }
    }
    return netdevs;
}

}  // namespace ferrule
