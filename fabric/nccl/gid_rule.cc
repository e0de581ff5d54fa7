#include "fabric/nccl/gid_rule.h"

#include "fabric/nccl/numbers.h"

#include <algorithm>

namespace ferrule {

namespace {

const GidEntry* row(const Port& port, unsigned index) {
    const auto found = std::ranges::find(port.gids, index, &GidEntry::index);
    return found == port.gids.end() ? nullptr : &*found;
}

// NCCL calls everything IPv6 that is not IPv4-mapped, an empty row included.
IpFamily family_of(const GidEntry* entry) {
    return entry != nullptr && entry->gid.ipv4_mapped() ? IpFamily::V4 : IpFamily::V6;
}

// NCCL's own notion: 169.254 counts as valid.
bool is_valid_to_nccl(const GidEntry* entry) {
    return entry != nullptr && (entry->gid.ipv4_mapped() || !entry->gid.is_link_local());
}

bool in_range(const GidEntry* entry, const GidWish& wish) {
    if (!wish.subnet) {
        return true;
    }
    return wish.subnet->contains(entry != nullptr ? entry->gid.address()
                                                  : IpAddress{IpFamily::V6, {}});
}

bool type_replaces(const GidEntry* current, const GidEntry& candidate, const GidWish& wish) {
    const bool differs = current == nullptr || current->type != candidate.type;
    return (differs || !is_valid_to_nccl(current)) && candidate.type == wish.type;
}

// An empty row answers no type either.
bool hides_its_type(const GidEntry* entry) {
    return entry == nullptr || !entry->type;
}

// "AF_INET6" and nothing else but the default.
GidWish wish_of(const Environment& environment) {
    GidWish wish{};
    if (value_of(environment, "NCCL_IB_ADDR_FAMILY") == "AF_INET6") {
        wish.family = IpFamily::V6;
    }
    constexpr int kVersion2 = 2;
    wish.type = nccl_number(environment, "NCCL_IB_ROCE_VERSION_NUM", kVersion2) == kVersion2
                    ? GidType::RoceV2
                    : GidType::RoceV1;
    const auto range = parse_prefix(value_of(environment, "NCCL_IB_ADDR_RANGE"));
    if (range && range->address.family == wish.family) {
        wish.subnet = range;
    }
    return wish;
}

}  // namespace

GidOutcome nccl_gid_rule(const Port& port, const GidWish& wish) {
    GidOutcome outcome{};
    for (unsigned i = 1; i < port.gid_table_size; ++i) {
        const GidEntry* const now = row(port, outcome.index);
        const GidEntry* const candidate = row(port, i);
        const bool family_fits = family_of(candidate) == wish.family;
        if (family_fits && family_of(now) != wish.family && in_range(candidate, wish)) {
            outcome.index = i;
            continue;
        }
        if (!family_fits || !is_valid_to_nccl(candidate) || !in_range(candidate, wish)) {
            continue;
        }
        outcome.unreadable |= hides_its_type(now) || hides_its_type(candidate);
        if (type_replaces(now, *candidate, wish)) {
            outcome.index = i;
        }
    }
    return outcome;
}

GidOutcome nccl_gid(const Port& port, const Environment& environment, const NcclVersion& version) {
    const bool has_rule = version >= kFirstNcclWithGidRule;
    const auto forced = nccl_number(environment, "NCCL_IB_GID_INDEX", has_rule ? -1 : 0);
    if (forced >= 0 || !has_rule) {
        return {static_cast<unsigned>(std::max<std::int64_t>(forced, 0)), false};
    }
    return nccl_gid_rule(port, wish_of(environment));
}

}  // namespace ferrule
