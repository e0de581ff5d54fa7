// Which GIDs a rail should offer, as the checks of GIDs ask it. Pure.
#pragma once

#include "fabric/check/check_words.h"
#include "fabric/policy/gid_policy.h"

#include <vector>

namespace ferrule {

// The profile's wishes, bounded by the rail's own subnet where it names one.
[[nodiscard]] std::vector<GidWish> rail_wishes(const NodeProfile& profile, const ScopedPort& port);

// The row that such a wish finds; nullptr without one.
[[nodiscard]] const GidEntry* usable_gid(const NodeProfile& profile, const ScopedPort& port);

// The GIDs of the port are read, and it is one that needs an address of its own.
[[nodiscard]] bool needs_gid(const ScopedPort& port);

}  // namespace ferrule
