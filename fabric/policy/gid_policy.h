// How the libraries of a job are told to choose a GID on all rails of the node. Pure.
#pragma once

#include "fabric/model/profile.h"
#include "fabric/policy/rails.h"

#include <optional>
#include <string>
#include <vector>

namespace ferrule {

struct GidPolicy {
    GidWish wish{};
    // A range to give the libraries, because the rule alone would end on another row somewhere, or
    // because the site said so.
    std::optional<IpPrefix> range{};
    std::string range_reason{};
    // Family, version and range do not surely lead NCCL to the planned rows.
    bool astray{false};
    // Only for an NCCL that has no rule: the index that is right on all rails at this moment.
    std::optional<unsigned> index{};
    std::string index_reason{};
};

// The first routable row that fits: one of the port's own netdev before one of a VLAN or the like.
[[nodiscard]] const GidEntry* find_gid(const Port& port, const GidWish& wish);

// The GIDs that a port may offer under this profile: without a word in it, IPv4 and then IPv6.
[[nodiscard]] std::vector<GidWish> gid_wishes(const NodeProfile& profile);

// For RoCE rails; `rails` is not empty. Nothing where they share no family of GIDs that the profile
// allows, which is so where a driver has none to show.
[[nodiscard]] std::optional<GidPolicy> gid_policy(const std::vector<Rail>& rails,
                                                  const NodeProfile& profile);

}  // namespace ferrule
