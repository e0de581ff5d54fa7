#include "fabric/policy/gid_rule.h"

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

// An empty row answers no type; NCCL reads none for it either.
bool type_replaces(const GidEntry* current, const GidEntry& candidate, const GidWish& wish) {
    const bool differs = current == nullptr || current->type != candidate.type;
    return (differs || !is_valid_to_nccl(current)) && candidate.type == wish.type;
}

}  // namespace

bool is_routable(const GidEntry& entry) {
    return !entry.gid.is_zero() && !entry.gid.is_link_local();
}

const GidEntry* find_gid(const Port& port, const GidWish& wish) {
    const auto fits = [&](const GidEntry& entry) {
        const IpAddress address = entry.gid.address();
        const bool own_netdev =
            entry.netdev.empty() || port.netdev.empty() || entry.netdev == port.netdev;
        return is_routable(entry) && own_netdev && entry.type == wish.type &&
               address.family == wish.family && (!wish.subnet || wish.subnet->contains(address));
    };
    const auto found = std::ranges::find_if(port.gids, fits);
    return found == port.gids.end() ? nullptr : &*found;
}

unsigned nccl_gid_index(const Port& port, const GidWish& wish) {
    unsigned current = 0;
    for (unsigned i = 1; i < port.gid_table_size; ++i) {
        const GidEntry* const now = row(port, current);
        const GidEntry* const candidate = row(port, i);
        const bool family_fits = family_of(candidate) == wish.family;
        if (family_fits && family_of(now) != wish.family && in_range(candidate, wish)) {
            current = i;
            continue;
        }
        if (family_fits && is_valid_to_nccl(candidate) && in_range(candidate, wish) &&
            type_replaces(now, *candidate, wish)) {
            current = i;
        }
    }
    return current;
}

}  // namespace ferrule
