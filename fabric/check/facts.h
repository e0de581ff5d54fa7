// A node as statements that can be held against those of an earlier run: what --diff compares.
// Nothing that changes by itself is among them: no counter, no time. Pure.
#pragma once

#include "fabric/model/history.h"
#include "fabric/model/snapshot.h"

#include <string>
#include <vector>

namespace ferrule {

[[nodiscard]] Facts facts_of(const NodeSnapshot& snapshot);

// One fact that is not what it was; empty text where there was, or is, none.
struct Change {
    std::string fact{};
    std::string before{};
    std::string now{};

    bool operator==(const Change&) const = default;
};

// In natural order of the facts' names.
[[nodiscard]] std::vector<Change> changes(const Facts& before, const Facts& now);

}  // namespace ferrule
