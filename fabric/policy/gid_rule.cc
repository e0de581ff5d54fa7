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
