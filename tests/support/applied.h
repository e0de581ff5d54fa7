// What an environment is after a plan was settled and applied to it, the marker included.
#pragma once

#include "fabric/policy/ownership.h"

#include <vector>

namespace ferrule::testing {

inline Environment applied(const std::vector<EnvChange>& changes, Environment current) {
    const Ownership ownership = settle_ownership(changes, current);
    for (const EnvWrite& write : ownership.writes) {
        if (write.value) {
            current[write.name] = *write.value;
        } else {
            current.erase(write.name);
        }
    }
    current.erase(kMarkerName);
    if (!ownership.owned.empty()) {
        current[kMarkerName] = to_marker(ownership.owned);
    }
    return current;
}

}  // namespace ferrule::testing
