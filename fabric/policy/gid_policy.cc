#include "fabric/policy/gid_policy.h"

#include "fabric/nccl/gid_rule.h"

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

// The rule never moves on from the planned row, so that a plan's snapshot ends behind it; but some
// versions end the job over what they read there.
enum class GidRows { UpToPlanned, All };

// The rail on which NCCL would not, or not surely, end on the planned row; nullptr when it does on
// all.
const Rail* stray_rail(const std::vector<Rail>& rails, const std::vector<const GidEntry*>& planned,
                       const GidWish& wish, GidRows rows) {
    for (std::size_t i = 0; i < rails.size(); ++i) {
        Port seen = *rails[i].port;
        seen.gid_table_size = rows == GidRows::All ? seen.gid_table_size : planned[i]->index + 1;
        if (nccl_gid_rule(seen, wish) != GidOutcome{planned[i]->index, false}) {
            return &rails[i];
        }
    }
    return nullptr;
}

void choose_range(const std::vector<Rail>& rails, const std::vector<const GidEntry*>& planned,
                  GidRows rows, GidPolicy& policy) {
    if (policy.wish.subnet) {
        policy.range = policy.wish.subnet;
        policy.range_reason = "gid_subnet of the profile";
        GidWish told = policy.wish;
        told.subnet = policy.range;
        policy.astray = stray_rail(rails, planned, told, rows) != nullptr;
        return;
    }
    const Rail* const stray = stray_rail(rails, planned, policy.wish, rows);
    if (stray == nullptr) {
        policy.range_reason = "not needed: the family and version alone lead to a routable GID";
        return;
    }
    GidWish bounded = policy.wish;
    bounded.subnet = common_prefix(planned);
    if (bounded.subnet->length > 0 && stray_rail(rails, planned, bounded, rows) == nullptr) {
        policy.range = bounded.subnet;
        policy.range_reason = fmt::format(
            "without it NCCL would take another GID of {}; this is the smallest range that holds "
            "the GIDs of all rails",
            port_name(*stray));
        return;
    }
    policy.astray = true;
    policy.range_reason = fmt::format(
        "NCCL would take another GID of {}, and no one range cures it", port_name(*stray));
}

// Why this NCCL cannot be left to find the GID by itself; empty where it can.
std::string why_index(const NcclVersion& nccl, const GidPolicy& policy) {
    if (nccl < kFirstNcclWithGidRule) {
        return fmt::format("NCCL {} has no rule of its own and would take index 0", to_text(nccl));
    }
    if (policy.astray && nccl < kFirstNcclPastUnreadableRows) {
        return fmt::format("NCCL {} may end the job over a row whose type it cannot read",
                           to_text(nccl));
    }
    return policy.astray ? "no family and no range leads NCCL to the row" : std::string{};
}

void choose_index(const std::vector<Rail>& rails, const std::vector<const GidEntry*>& planned,
                  const NodeProfile& profile, GidPolicy& policy) {
    const std::string why = why_index(profile.nccl.value_or(kFirstNcclPastUnreadableRows), policy);
    if (why.empty()) {
        policy.index_reason =
            "an index moves when addresses change; family, version and range do not";
        const bool shared = std::ranges::all_of(
            planned, [&](const GidEntry* entry) { return entry->index == planned.front()->index; });
        policy.index_reason +=
            profile.nccl || !shared
                ? ""
                : ". Jobs with an NCCL before 2.21 need oldest_nccl in the profile";
        return;
    }
    const unsigned index = planned.front()->index;
    const auto other =
        std::ranges::find_if(planned, [&](const GidEntry* entry) { return entry->index != index; });
    if (other == planned.end()) {
        policy.index = index;
        policy.index_reason = why + "; all rails agree on this one now";
        return;
    }
    const auto& rail = rails[static_cast<std::size_t>(other - planned.begin())];
    policy.index_reason = fmt::format(
        "{}, and takes one index for all rails, but {} needs {} and {} needs {}; use NCCL {} or "
        "later",
        why, port_name(rails.front()), index, port_name(rail), (*other)->index,
        to_text(policy.astray ? kFirstNcclPastUnreadableRows : kFirstNcclWithGidRule));
}

}  // namespace

const GidEntry* find_gid(const Port& port, const GidWish& wish) {
    const GidEntry* found = nullptr;
    for (const GidEntry& entry : port.gids) {
        if (!fits(entry, wish)) {
            continue;
        }
        if (entry.netdev == port.netdev || entry.netdev.empty()) {
            return &entry;
        }
        found = found == nullptr ? &entry : found;
    }
    return found;
}

std::vector<GidWish> gid_wishes(const NodeProfile& profile) {
    GidWish wish = base_gid_wish(profile);
    std::vector<GidWish> wishes{wish};
    if (!profile.gid_family && !profile.gid_subnet) {
        wish.family = IpFamily::V6;
        wishes.push_back(wish);
    }
    return wishes;
}

std::optional<GidPolicy> gid_policy(const std::vector<Rail>& rails, const NodeProfile& profile) {
    for (const GidWish& wish : gid_wishes(profile)) {
        std::vector<const GidEntry*> planned;
        planned.reserve(rails.size());
        for (const Rail& rail : rails) {
            planned.push_back(find_gid(*rail.port, wish));
        }
        if (std::ranges::count(planned, nullptr) > 0) {
            continue;
        }
        GidPolicy policy{};
        policy.wish = wish;
        const bool all_rows = profile.nccl && ends_over_unreadable_rows(*profile.nccl);
        choose_range(rails, planned, all_rows ? GidRows::All : GidRows::UpToPlanned, policy);
        choose_index(rails, planned, profile, policy);
        return policy;
    }
    return std::nullopt;
}

}  // namespace ferrule
