// Which GID a RoCE port offers, and which one NCCL would take. Pure.
#pragma once

#include "fabric/model/hca.h"

#include <optional>

namespace ferrule {

// What a usable GID must be.
struct GidWish {
    IpFamily family{IpFamily::V4};
    GidType type{GidType::RoceV2};
    // Where the site bounds it.
    std::optional<IpPrefix> subnet{};
};

// A row that packets can be routed from: an address of its own, not one of a single link.
[[nodiscard]] bool is_routable(const GidEntry& entry);

// The first routable row that fits, on the port's own netdev where the table tells netdevs.
[[nodiscard]] const GidEntry* find_gid(const Port& port, const GidWish& wish);

// The row that NCCL 2.21 and later settle on, with the given family, RoCE version and range
// (ncclIbGetGidIndex and ncclUpdateGidIndex in its net_ib.cc). Rows that do not exist are all-zero;
// the answer may be one of them, which is how a wrong family shows.
[[nodiscard]] unsigned nccl_gid_index(const Port& port, const GidWish& wish);

}  // namespace ferrule
