#include "fabric/policy/gid_policy.h"
#include "fabric/policy/rail_rules.h"
#include "fabric/policy/routes.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <optional>

namespace ferrule {

namespace {

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

void drop_away_from_gpus(Candidates& candidates, const Site& site) {
    keep_where_any(
        candidates, [&](const Candidate& it) { return beside_gpu(it.hca(), site.snapshot); },
        [](const Candidate&) {
            return "behind no PCIe switch with a GPU, unlike others: storage or management";
        });
}

unsigned rate_of(const Candidate& it) {
    return known_rate(it.rail).value_or(0);
}

void drop_management(Candidates& candidates, const Site& site) {
    const std::string netdev = default_route_netdev(site.snapshot);
    unsigned fastest = 0;
    for (const Candidate& it : candidates) {
        fastest = std::max(fastest, it.open() ? rate_of(it) : 0);
    }
    keep_where_any(
        candidates,
        [&](const Candidate& it) {
            const bool roce = fabric_of(it.hca(), it.port()) == FabricKind::Roce;
            return netdev.empty() || it.port().netdev != netdev || !roce ||
                   rate_of(it) == fastest || beside_gpu(it.hca(), site.snapshot);
        },
        [&](const Candidate&) {
            return netdev + " carries the default route, and others are faster: management";
        });
}

// Of the keys that `key` gives the open candidates, the one with the most bandwidth in all; on a
// tie the one that `better` puts first.
template <typename KeyOf, typename Better>
auto widest(const Candidates& candidates, KeyOf key, Better better) {
    using Key = decltype(key(candidates.front()));
    unsigned fastest = 0;
    for (const Candidate& it : candidates) {
        fastest = std::max(fastest, it.open() ? rate_of(it) : 0);
    }
    std::map<Key, unsigned, Better> bandwidth{better};
    for (const Candidate& it : candidates) {
        if (it.open()) {
            // What is not known is not taken for slow.
            bandwidth[key(it)] += known_rate(it.rail).value_or(fastest);
        }
    }
    // The first of equals.
    const auto most =
        std::ranges::max_element(bandwidth, {}, [](const auto& pair) { return pair.second; });
    return most == bandwidth.end() ? Key{} : most->first;
}

// The same card, and as near to a GPU: a slower port of this kind is a rail that has a fault.
bool is_like(const Candidate& it, const Candidate& other, const Site& site) {
    return !it.hca().board_id.empty() && it.hca().board_id == other.hca().board_id &&
           it.hca().device_id == other.hca().device_id && beside_gpu(it.hca(), site.snapshot) &&
           beside_gpu(other.hca(), site.snapshot);
}

void drop_other_speeds(Candidates& candidates, const Site& site) {
    const unsigned rate = widest(candidates, rate_of, std::greater{});
    const Candidates before = candidates;
    keep_where_any(
        candidates,
        [&](const Candidate& it) {
            // A rate that cannot be read is not a wrong one.
            return rate_of(it) == rate || !known_rate(it.rail) ||
                   std::ranges::any_of(before, [&](const Candidate& other) {
                       return other.open() && rate_of(other) == rate && is_like(it, other, site);
                   });
        },
        [&](const Candidate& it) {
            return fmt::format("{} Gb/s, the compute ports run at {} Gb/s", gbps_text(rate_of(it)),
                               gbps_text(rate));
        });
}

// Limited members of a partition cannot talk to each other; index 0 is what libraries take unasked.
void drop_limited_members(Candidates& candidates, const Site& site) {
    if (site.profile.pkey) {
        return;
    }
    keep_where_any(
        candidates,
        [](const Candidate& it) {
            const auto first = std::ranges::find(it.port().pkeys, 0U, &PkeyEntry::index);
            return fabric_of(it.hca(), it.port()) != FabricKind::InfiniBand ||
                   first == it.port().pkeys.end() || first->pkey.full_member();
        },
        [](const Candidate&) {
            return "its P_Key at index 0 is a limited member's, unlike others, and limited members "
                   "do not reach each other";
        });
}

using GroupRule = void (*)(Candidates&, const Site&);
constexpr std::array<GroupRule, 5> kGroupRules{drop_away_from_gpus, drop_management,
                                               drop_other_fabrics, drop_other_speeds,
                                               drop_limited_members};

}  // namespace

bool beside_gpu(const Hca& hca, const NodeSnapshot& snapshot) {
    return std::ranges::any_of(snapshot.gpus, [&](const Gpu& gpu) {
        return distance(gpu.pci, hca.pci) <= PciDistance::Pxb;
    });
}

void drop_other_fabrics(Candidates& candidates, const Site&) {
    const auto fabric = [](const Candidate& it) { return fabric_of(it.hca(), it.port()); };
    const FabricKind kind = widest(candidates, fabric, std::less{});
    keep_where_any(
        candidates, [&](const Candidate& it) { return fabric(it) == kind; },
        [&](const Candidate& it) {
            return fmt::format("{}, the compute fabric is {}", to_text(fabric(it)), to_text(kind));
        });
}

void drop_other_gid_families(Candidates& candidates, const Site& site) {
    const auto wishes = gid_wishes(site.profile);
    const auto has = [](const Candidate& it, const GidWish& wish) {
        return fabric_of(it.hca(), it.port()) != FabricKind::Roce ||
               find_gid(it.port(), wish) != nullptr;
    };
    const auto ports_with = [&](const GidWish& wish) {
        return std::ranges::count_if(
            candidates, [&](const Candidate& it) { return it.open() && has(it, wish); });
    };
    const GidWish& wish = *std::ranges::max_element(wishes, {}, ports_with);
    keep_where_any(
        candidates, [&](const Candidate& it) { return has(it, wish); },
        [&](const Candidate&) {
            return fmt::format("no routable {} GID, unlike other ports",
                               wish.family == IpFamily::V4 ? "IPv4" : "IPv6");
        });
}

void compare_candidates(Candidates& candidates, const Site& site) {
    for (const GroupRule rule : kGroupRules) {
        rule(candidates, site);
    }
}

}  // namespace ferrule
