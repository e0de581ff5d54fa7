#include "fabric/check/gid_words.h"

namespace ferrule {

std::vector<GidWish> rail_wishes(const NodeProfile& profile, const ScopedPort& port) {
    std::vector<GidWish> wishes = gid_wishes(profile);
    if (const IpPrefix* const subnet = profile.expected.rail_subnets.of(port.rail)) {
        std::erase_if(wishes,
                      [&](const GidWish& wish) { return wish.family != subnet->address.family; });
        for (GidWish& wish : wishes) {
            wish.subnet = *subnet;
        }
    }
    return wishes;
}

const GidEntry* usable_gid(const NodeProfile& profile, const ScopedPort& port) {
    for (const GidWish& wish : rail_wishes(profile, port)) {
        if (const GidEntry* const entry = find_gid(*port.port, wish)) {
            return entry;
        }
    }
    return nullptr;
}

bool needs_gid(const ScopedPort& port) {
    // Alibaba's erdma is addressed otherwise.
    return is_roce(port) && port.hca->driver != "erdma";
}

}  // namespace ferrule
