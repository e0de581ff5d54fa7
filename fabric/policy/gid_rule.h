// Which GID a RoCE port offers, and which one NCCL would take. Pure.
#pragma once

#include "fabric/model/hca.h"

namespace ferrule {

// The first routable row that fits: one of the port's own netdev before one of a VLAN or the like.
[[nodiscard]] const GidEntry* find_gid(const Port& port, const GidWish& wish);

// The row that NCCL 2.21 and later settle on, with the given family, RoCE version and range
// (ncclIbGetGidIndex and ncclUpdateGidIndex in its net_ib.cc). Rows that do not exist are all-zero;
// the answer may be one of them, which is how a wrong family shows.
[[nodiscard]] unsigned nccl_gid_index(const Port& port, const GidWish& wish);

}  // namespace ferrule
