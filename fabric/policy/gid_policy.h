// How the libraries of a job are told to choose a GID on all rails of the node. Pure.
#pragma once

#include "fabric/model/profile.h"
#include "fabric/policy/gid_rule.h"
#include "fabric/policy/rails.h"

#include <optional>
#include <string>

namespace ferrule {

struct GidPolicy {
    GidWish wish{};
    // A range to give the libraries, because the rule alone would end on another row somewhere, or
    // because the site said so.
    std::optional<IpPrefix> range{};
    std::string range_reason{};
    // Only for an NCCL that has no rule: the index that is right on all rails at this moment.
    std::optional<unsigned> index{};
    std::string index_reason{};
};

// The family and RoCE version that a usable GID of this profile must have. Without a word in the
// profile it is IPv4, or IPv6 where `port` has no routable IPv4 row.
[[nodiscard]] GidWish gid_wish(const NodeProfile& profile, const Port& port);

// For RoCE rails; `rails` is not empty.
[[nodiscard]] GidPolicy gid_policy(const std::vector<Rail>& rails, const NodeProfile& profile);

}  // namespace ferrule
