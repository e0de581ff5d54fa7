#include "fabric/policy/gid_policy.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace ferrule {

namespace {

std::string port_name(const Rail& rail) {
    return fmt::format("{} port {}", rail.hca->name, rail.port->number);
}

// The smallest prefix that holds all planned GIDs.
IpPrefix common_prefix(const std::vector<const GidEntry*>& planned) {
    const IpAddress first = planned.front()->gid.address();
    unsigned length = first.bits();
    for (const GidEntry* const entry : planned) {
        length = std::min(length, common_bits(first, entry->gid.address()));
    }
    return prefix_of(first, length);
}

// The rail on which NCCL would not end on the planned row; nullptr when it does on all.
const Rail* stray_rail(const std::vector<Rail>& rails, const std::vector<const GidEntry*>& planned,
                       const GidWish& wish) {
    for (std::size_t i = 0; i < rails.size(); ++i) {
        // A plan's snapshot ends the table behind the planned row; the rule never moves on from it.
        Port seen = *rails[i].port;
        seen.gid_table_size = std::max(seen.gid_table_size, planned[i]->index + 1);
        if (nccl_gid_index(seen, wish) != planned[i]->index) {
            return &rails[i];
        }
    }
    return nullptr;
}

void choose_range(const std::vector<Rail>& rails, const std::vector<const GidEntry*>& planned,
                  GidPolicy& policy) {
    if (policy.wish.subnet) {
        policy.range = policy.wish.subnet;
        policy.range_reason = "gid_subnet of the profile";
        return;
    }
    const Rail* const stray = stray_rail(rails, planned, policy.wish);
    if (stray == nullptr) {
        policy.range_reason = "not needed: the family and version alone lead to a routable GID";
        return;
    }
    GidWish bounded = policy.wish;
    bounded.subnet = common_prefix(planned);
    if (bounded.subnet->length > 0 && stray_rail(rails, planned, bounded) == nullptr) {
        policy.range = bounded.subnet;
        policy.range_reason = fmt::format(
            "without it NCCL would take another GID of {}; this is the smallest range that holds "
            "the GIDs of all rails",
            port_name(*stray));
        return;
    }
    policy.range_reason = fmt::format(
        "NCCL would take another GID of {} and no one range cures it; set gid_subnet in the "
        "profile",
        port_name(*stray));
}

void choose_index(const std::vector<Rail>& rails, const std::vector<const GidEntry*>& planned,
                  const NodeProfile& profile, GidPolicy& policy) {
    if (!profile.nccl || *profile.nccl >= kFirstNcclWithGidRule) {
        policy.index_reason =
            "an index moves when addresses change; family, version and range do not";
        return;
    }
    const unsigned index = planned.front()->index;
    const auto other =
        std::ranges::find_if(planned, [&](const GidEntry* entry) { return entry->index != index; });
    if (other == planned.end()) {
        policy.index = index;
        policy.index_reason = fmt::format(
            "NCCL {} has no rule of its own and would take index 0; all rails agree on "
            "this one now",
            to_text(*profile.nccl));
        return;
    }
    const auto& rail = rails[static_cast<std::size_t>(other - planned.begin())];
    policy.index_reason = fmt::format(
        "NCCL {} takes one index for all rails, but {} needs {} and {} needs {}; use NCCL 2.21 or "
        "later",
        to_text(*profile.nccl), port_name(rails.front()), index, port_name(rail), (*other)->index);
}

}  // namespace

std::vector<GidWish> gid_wishes(const NodeProfile& profile) {
    GidWish wish = base_gid_wish(profile);
    std::vector<GidWish> wishes{wish};
    if (!profile.gid_family && !profile.gid_subnet) {
        wish.family = IpFamily::V6;
        wishes.push_back(wish);
    }
    return wishes;
}

GidPolicy gid_policy(const std::vector<Rail>& rails, const NodeProfile& profile) {
    GidPolicy policy{};
    std::vector<const GidEntry*> planned;
    for (const GidWish& wish : gid_wishes(profile)) {
        policy.wish = wish;
        planned.clear();
        for (const Rail& rail : rails) {
            planned.push_back(find_gid(*rail.port, wish));
        }
        if (std::ranges::count(planned, nullptr) == 0) {
            break;
        }
    }
    if (std::ranges::count(planned, nullptr) != 0) {
        policy.range_reason = policy.index_reason = "the rails share no family of GIDs";
        return policy;
    }
    choose_range(rails, planned, policy);
    choose_index(rails, planned, profile, policy);
    return policy;
}

}  // namespace ferrule
