#include "fabric/policy/rails.h"

#include "fabric/base/text.h"
#include "fabric/policy/gid_policy.h"
#include "fabric/policy/routes.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <string>

namespace ferrule {

namespace {

struct Candidate {
    Rail rail{};
    std::string why_not{};

    [[nodiscard]] bool open() const { return why_not.empty(); }

    [[nodiscard]] const Hca& hca() const { return *rail.hca; }

    [[nodiscard]] const Port& port() const { return *rail.port; }
};

using Candidates = std::vector<Candidate>;

struct Site {
    const NodeSnapshot& snapshot;
    const NodeProfile& profile;
};

bool is_efa(const Hca& hca) {
    constexpr std::uint16_t kAmazon = 0x1d0f;
    return hca.driver == "efa" || (hca.vendor_id == kAmazon && hca.driver.empty());
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

// --- rules for one port alone; each answers why it is no rail, or nothing
// -------------------------

std::string not_active(const Candidate& it, const Site&) {
    if (it.port().state == PortState::Active) {
        return {};
    }
    if (!it.port().state) {
        return "its state cannot be read";
    }
    const std::string physical =
        it.port().phys_state ? "/" + to_text(*it.port().phys_state) : std::string{};
    return fmt::format("not ACTIVE: {}{}", to_text(*it.port().state), physical);
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
    if (it.hca().physical_function) {
        return fmt::format("virtual function of {}, meant for a guest",
                           to_text(*it.hca().physical_function));
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
    const bool board = std::ranges::count(kBoards, it.hca().board_id) > 0;
    const auto in_slot = std::ranges::count_if(site.snapshot.hcas, [&](const Hca& other) {
        return it.hca().pci.address && other.pci.address &&
               other.pci.address->slot() == it.hca().pci.address->slot() &&
               other.function == FunctionKind::Physical && !other.ports.empty() &&
               other.ports.front().link_layer == LinkLayer::InfiniBand;
    });
    return board || in_slot >= kFunctions ? "management card of the NVSwitches" : std::string{};
}

bool selects(const RailSelector& selector, const Hca& hca, const Port& port) {
    if (selector.port && *selector.port != port.number) {
        return false;
    }
    if (selector.pci) {
        return selector.pci == hca.pci.address;
    }
    return selector.name == hca.name || (!port.netdev.empty() && selector.name == port.netdev);
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

// --- rules that compare ports; applied only where the profile names no rails
// ----------------------

// Closes every open candidate for which `keep` is false, unless that would close them all.
template <typename Keep, typename Why>
void keep_where_any(Candidates& candidates, Keep keep, Why why) {
    const bool any =
        std::ranges::any_of(candidates, [&](const Candidate& it) { return it.open() && keep(it); });
    for (Candidate& it : candidates) {
        if (any && it.open() && !keep(it)) {
            it.why_not = why(it);
        }
    }
}

bool beside_gpu(const Candidate& it, const NodeSnapshot& snapshot) {
    return std::ranges::any_of(snapshot.gpus, [&](const Gpu& gpu) {
        return distance(gpu.pci, it.hca().pci) <= PciDistance::Pxb;
    });
}

void drop_away_from_gpus(Candidates& candidates, const Site& site) {
    keep_where_any(
        candidates, [&](const Candidate& it) { return beside_gpu(it, site.snapshot); },
        [](const Candidate&) {
            return "behind no PCIe switch with a GPU, unlike others: storage or management";
        });
}

void drop_management(Candidates& candidates, const Site& site) {
    const std::string netdev = default_route_netdev(site.snapshot);
    keep_where_any(
        candidates,
        [&](const Candidate& it) { return netdev.empty() || it.port().netdev != netdev; },
        [&](const Candidate&) { return netdev + " carries the default route: management"; });
}

unsigned rate_of(const Candidate& it) {
    return it.port().rate ? it.port().rate->tenth_gbps : 0;
}

// Of the keys that `key` gives the open candidates, the one with the most bandwidth in all. On a
// tie the smaller key wins.
template <typename KeyOf>
auto widest(const Candidates& candidates, KeyOf key) {
    std::map<decltype(key(candidates.front())), unsigned> bandwidth;
    for (const Candidate& it : candidates) {
        if (it.open()) {
            bandwidth[key(it)] += rate_of(it);
        }
    }
    return std::ranges::max_element(bandwidth, {}, [](const auto& pair) { return pair.second; })
        ->first;
}

void drop_other_fabrics(Candidates& candidates, const Site&) {
    const auto fabric = [](const Candidate& it) { return fabric_of(it.hca(), it.port()); };
    const FabricKind kind = widest(candidates, fabric);
    keep_where_any(
        candidates, [&](const Candidate& it) { return fabric(it) == kind; },
        [&](const Candidate& it) {
            return fmt::format("{}, the compute fabric is {}", to_text(fabric(it)), to_text(kind));
        });
}

void drop_other_speeds(Candidates& candidates, const Site&) {
    const unsigned rate = widest(candidates, rate_of);
    keep_where_any(
        candidates, [&](const Candidate& it) { return rate_of(it) == rate; },
        [&](const Candidate& it) {
            return fmt::format("{} Gb/s, the compute ports run at {} Gb/s", gbps_text(rate_of(it)),
                               gbps_text(rate));
        });
}

using GroupRule = void (*)(Candidates&, const Site&);
constexpr std::array<GroupRule, 4> kGroupRules{drop_away_from_gpus, drop_management,
                                               drop_other_fabrics, drop_other_speeds};

// --------------------------------------------------------------------------------------------------

bool any_open(const Candidates& candidates) {
    return std::ranges::any_of(candidates, &Candidate::open);
}

bool pci_order(const Candidate& left, const Candidate& right) {
    // Devices without PCI come last, as in NCCL.
    const auto& a = left.hca().pci.address;
    const auto& b = right.hca().pci.address;
    if (a.has_value() != b.has_value()) {
        return a.has_value();
    }
    if (a != b) {
        return a < b;
    }
    if (left.hca().name != right.hca().name) {
        return natural_less(left.hca().name, right.hca().name);
    }
    return left.port().number < right.port().number;
}

Candidates all_ports(const NodeSnapshot& snapshot) {
    Candidates candidates;
    for (const Hca& hca : snapshot.hcas) {
        for (const Port& port : hca.ports) {
            candidates.push_back({{&hca, &port}, {}});
        }
    }
    std::ranges::sort(candidates, pci_order);
    return candidates;
}

std::string why_used(const Candidate& it, const Site& site) {
    const std::string rate = it.port().rate ? gbps_text(it.port().rate->tenth_gbps) + " Gb/s" : "";
    const std::string kind = fmt::format("{} {}", to_text(fabric_of(it.hca(), it.port())), rate);
    if (!site.profile.rails.empty()) {
        return fmt::format("rail of profile {}, {}", site.profile.name, kind);
    }
    return beside_gpu(it, site.snapshot) ? kind + ", shares a PCIe switch with a GPU" : kind;
}

RailChoice to_choice(const Candidates& candidates, const Site& site) {
    RailChoice choice{};
    for (const Candidate& it : candidates) {
        choice.verdicts.push_back({it.hca().name, it.port().number, it.port().netdev,
                                   it.hca().pci.address, it.open(),
                                   it.open() ? why_used(it, site) : it.why_not});
        if (it.open()) {
            choice.kind = fabric_of(it.hca(), it.port());
            choice.rails.push_back(it.rail);
        }
    }
    return choice;
}

}  // namespace

RailChoice choose_rails(const NodeSnapshot& snapshot, const NodeProfile& profile) {
    const Site site{snapshot, profile};
    Candidates candidates = all_ports(snapshot);
    for (const PortRule rule : kPortRules) {
        for (Candidate& it : candidates) {
            if (it.open()) {
                it.why_not = rule(it, site);
            }
        }
    }
    for (const GroupRule rule : kGroupRules) {
        if (profile.rails.empty() && any_open(candidates)) {
            rule(candidates, site);
        }
    }
    if (any_open(candidates)) {
        // A profile may name rails of two fabrics; a process can drive one.
        drop_other_fabrics(candidates, site);
    }
    return to_choice(candidates, site);
}

RailChoice rails_of_gpus(RailChoice choice, const NodeSnapshot& snapshot,
                         const std::vector<std::size_t>& gpus) {
    if (gpus.empty() || gpus.size() >= snapshot.gpus.size() || choice.rails.empty()) {
        return choice;
    }
    std::set<const Port*> nearest;
    for (const std::size_t gpu : gpus) {
        const auto far = [&](const Rail& rail) {
            return distance(snapshot.gpus.at(gpu).pci, rail.hca->pci);
        };
        const PciDistance best = far(*std::ranges::min_element(choice.rails, {}, far));
        for (const Rail& rail : choice.rails) {
            if (far(rail) == best) {
                nearest.insert(rail.port);
            }
        }
    }
    for (const Rail& rail : choice.rails) {
        const auto verdict = std::ranges::find_if(choice.verdicts, [&](const PortVerdict& it) {
            return it.hca == rail.hca->name && it.port == rail.port->number;
        });
        verdict->used = nearest.contains(rail.port);
        verdict->reason +=
            verdict->used ? "; nearest to a GPU of the job" : "; nearest to no GPU of the job";
    }
    std::erase_if(choice.rails, [&](const Rail& rail) { return !nearest.contains(rail.port); });
    return choice;
}

}  // namespace ferrule
