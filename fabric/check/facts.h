// A node as statements that can be held against those of an earlier run: what --diff compares.
// Nothing that changes by itself is among them: no counter, no time. Pure.
#pragma once

#include "fabric/check/scope.h"
#include "fabric/model/history.h"
#include "fabric/model/snapshot.h"

#include <string>
#include <vector>

namespace ferrule {

[[nodiscard]] Facts facts_of(const NodeSnapshot& snapshot, const Scope& scope);

// The facts of now, and of a port that just now has no GID at all those of before: a link that went
// down takes its rows with it, and they count again when it is back.
[[nodiscard]] Facts with_lost_gids(const Facts& before, Facts now);

// The objects that were rails, of facts of an earlier run.
[[nodiscard]] std::vector<std::string> rails_of(const Facts& facts);

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
