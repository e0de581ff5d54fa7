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
    // Alibaba's erdma is iWARP by name, and NCCL drives it like RoCE.
    if (it.hca().node_type == NodeType::Rnic && it.hca().driver != "erdma") {
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

bool named_in_profile(const Candidate& it, const Site& site) {
    return std::ranges::any_of(site.profile.rails, [&](const RailSelector& selector) {
        return selects(selector, it.hca(), it.port());
    });
}

bool is_here(const NodeSnapshot& snapshot, const std::optional<PciAddress>& physical_function) {
    return std::ranges::any_of(snapshot.hcas, [&](const Hca& hca) {
        // A bond's device stands for the second function of its card too.
        return hca.function == FunctionKind::Physical && hca.pci.address && physical_function &&
               hca.pci.address->slot() == physical_function->slot();
    });
}

std::string meant_for_guests(const Candidate& it, const Site& site) {
    if (named_in_profile(it, site)) {
        return {};
    }
    // In a pod the physical function's PCI entry shows, but no device of it.
    const auto& physical = it.hca().physical_function;
    if (physical && is_here(site.snapshot, physical)) {
        return fmt::format("virtual function of {}, meant for a guest", to_text(*physical));
    }
    if (it.hca().function == FunctionKind::SubFunction &&
        is_here(site.snapshot, it.hca().pci.address)) {
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
    const bool management = !named_in_profile(it, site) && (board || in_slot >= kFunctions);
    return management ? "management card of the NVSwitches" : std::string{};
}

std::string not_in_profile(const Candidate& it, const Site& site) {
    return site.profile.rails.empty() || named_in_profile(it, site)
               ? std::string{}
               : "not among the rails of the profile";
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

// The subnet manager has not configured it, whatever its state says.
std::string without_lid(const Candidate& it, const Site&) {
    constexpr Lid kUnassigned{0xffff};
    const bool unassigned =
        fabric_of(it.hca(), it.port()) == FabricKind::InfiniBand && it.port().lid == kUnassigned;
    return unassigned ? "ACTIVE with LID 0xffff, so no subnet manager has configured it"
                      : std::string{};
}

std::string without_gid(const Candidate& it, const Site& site) {
    if (fabric_of(it.hca(), it.port()) != FabricKind::Roce || it.hca().driver == "erdma") {
        return {};
    }
    const auto wishes = gid_wishes(site.profile);
    const bool any = std::ranges::any_of(
        wishes, [&](const GidWish& wish) { return find_gid(it.port(), wish) != nullptr; });
    if (any) {
        return {};
    }
    const GidWish& wish = wishes.front();
    const std::string_view family = wish.family == IpFamily::V4 ? " IPv4" : " IPv6";
    return fmt::format("no routable {}{} GID{}", to_text(wish.type),
                       wishes.size() == 1 ? family : std::string_view{},
                       wish.subnet ? " in " + to_text(*wish.subnet) : std::string{});
}

using PortRule = std::string (*)(const Candidate&, const Site&);
constexpr std::array<PortRule, 9> kPortRules{not_active,       not_openable,       other_protocol,
                                             meant_for_guests, manages_nvswitches, not_in_profile,
                                             not_in_partition, without_lid,        without_gid};

}  // namespace

bool selects(const RailSelector& selector, const Hca& hca, const Port& port) {
    if (selector.port && *selector.port != port.number) {
        return false;
    }
    if (selector.pci) {
        // A sub-function has the address of the function that it is a part of.
        return selector.pci == hca.pci.address && hca.function != FunctionKind::SubFunction;
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

bool is_foreign(const Candidate& candidate, const Site& site) {
    return !other_protocol(candidate, site).empty() || !manages_nvswitches(candidate, site).empty();
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
