// What an environment is after a plan was settled and applied to it, the marker included.
#pragma once

#include "fabric/policy/ownership.h"

#include <utility>
#include <vector>

namespace ferrule::testing {

inline Environment applied(const std::vector<EnvChange>& changes, Environment current) {
    const Ownership ownership = settle_ownership(changes, current);
    return environment_after(ownership, std::move(current));
}

}  // namespace ferrule::testing
