#include "fabric/policy/gid_policy.h"
#include "fabric/policy/rail_rules.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace ferrule {

namespace {

bool is_efa(const Hca& hca) {
    constexpr std::uint16_t kAmazon = 0x1d0f;
    return hca.driver == "efa" || (hca.vendor_id == kAmazon && hca.driver.empty());
}

std::string not_active(const Candidate& it, const Site&) {
    const auto& state = it.port().state;
    const auto& phys_state = it.port().phys_state;
    if (state == PortState::Active) {
        return {};
    }
    if (!state) {
        return "its state cannot be read";
    }
    const std::string physical = phys_state ? "/" + to_text(*phys_state) : std::string{};
    return fmt::format("not ACTIVE: {}{}", to_text(*state), physical);
}

std::string not_openable(const Candidate& it, const Site&) {
    if (it.hca().uverbs.empty()) {
        return "no verbs device; load ib_uverbs";
    }
    if (!it.hca().openable) {
        return fmt::format("cannot be opened: no /dev/infiniband/{}", it.hca().uverbs);
    }
    return {};
}

std::string other_protocol(const Candidate& it, const Site& site) {
    if (it.hca().node_type == NodeType::Rnic) {
        return "iWARP, which NCCL and UCX do not use";
    }
    if (fabric_of(it.hca(), it.port()) == FabricKind::None) {
        return "neither InfiniBand, Ethernet nor EFA";
    }
    if (site.profile.link_layer && it.port().link_layer != *site.profile.link_layer) {
        return fmt::format("link layer {}, the profile wants {}", to_text(it.port().link_layer),
                           to_text(*site.profile.link_layer));
    }
    return {};
}

std::string meant_for_guests(const Candidate& it, const Site& site) {
    if (const auto& physical = it.hca().physical_function) {
        return fmt::format("virtual function of {}, meant for a guest", to_text(*physical));
    }
    const bool parent_here = std::ranges::any_of(site.snapshot.hcas, [&](const Hca& other) {
        return other.function == FunctionKind::Physical &&
               other.pci.address == it.hca().pci.address;
    });
    if (it.hca().function == FunctionKind::SubFunction && parent_here) {
        return "sub-function of a device that is here itself";
    }
    return {};
}

// The card behind the NVSwitches of HGX B200 and B300 shows four physical InfiniBand functions in
// one slot; its ports are ACTIVE on a fabric of their own.
std::string manages_nvswitches(const Candidate& it, const Site& site) {
    constexpr std::array<std::string_view, 1> kBoards{"NVD0000000079"};
    constexpr std::ptrdiff_t kFunctions = 4;
    const auto& own = it.hca().pci.address;
    const bool board = std::ranges::count(kBoards, it.hca().board_id) > 0;
    const auto in_slot = std::ranges::count_if(site.snapshot.hcas, [&](const Hca& other) {
        const auto& address = other.pci.address;
        return own && address && address->slot() == own->slot() &&
               other.function == FunctionKind::Physical && !other.ports.empty() &&
               other.ports.front().link_layer == LinkLayer::InfiniBand;
    });
    return board || in_slot >= kFunctions ? "management card of the NVSwitches" : std::string{};
}

std::string not_in_profile(const Candidate& it, const Site& site) {
    const auto& rails = site.profile.rails;
    const bool named = std::ranges::any_of(rails, [&](const RailSelector& selector) {
        return selects(selector, it.hca(), it.port());
    });
    return rails.empty() || named ? std::string{} : "not among the rails of the profile";
}

std::string not_in_partition(const Candidate& it, const Site& site) {
    if (!site.profile.pkey || fabric_of(it.hca(), it.port()) != FabricKind::InfiniBand) {
        return {};
    }
    const bool member = std::ranges::any_of(it.port().pkeys, [&](const PkeyEntry& entry) {
        return entry.pkey.partition() == site.profile.pkey->partition();
    });
    return member ? std::string{}
                  : fmt::format("its P_Key table lacks {}", to_text(*site.profile.pkey));
}

std::string without_gid(const Candidate& it, const Site& site) {
    if (fabric_of(it.hca(), it.port()) != FabricKind::Roce) {
        return {};
    }
    const GidWish wish = gid_wish(site.profile, it.port());
    if (find_gid(it.port(), wish) != nullptr) {
        return {};
    }
    if (site.profile.gid_family || site.profile.gid_subnet || site.profile.roce_version) {
        return fmt::format("no routable {} {} GID{}", to_text(wish.type),
                           wish.family == IpFamily::V4 ? "IPv4" : "IPv6",
                           wish.subnet ? " in " + to_text(*wish.subnet) : std::string{});
    }
    return "no routable RoCE v2 GID";
}

using PortRule = std::string (*)(const Candidate&, const Site&);
constexpr std::array<PortRule, 8> kPortRules{not_active,       not_openable,       other_protocol,
                                             meant_for_guests, manages_nvswitches, not_in_profile,
                                             not_in_partition, without_gid};

}  // namespace

bool selects(const RailSelector& selector, const Hca& hca, const Port& port) {
    if (selector.port && *selector.port != port.number) {
        return false;
    }
    if (selector.pci) {
        return selector.pci == hca.pci.address;
    }
    return selector.name == hca.name || (!port.netdev.empty() && selector.name == port.netdev);
}

FabricKind fabric_of(const Hca& hca, const Port& port) {
    if (is_efa(hca)) {
        return FabricKind::Efa;
    }
    switch (port.link_layer) {
        case LinkLayer::InfiniBand:
            return FabricKind::InfiniBand;
        case LinkLayer::Ethernet:
            return FabricKind::Roce;
        case LinkLayer::Unspecified:
            break;
    }
    return FabricKind::None;
}

std::string why_no_rail(const Candidate& candidate, const Site& site) {
    for (const PortRule rule : kPortRules) {
        std::string why_not = rule(candidate, site);
        if (!why_not.empty()) {
            return why_not;
        }
    }
    return {};
}

}  // namespace ferrule
