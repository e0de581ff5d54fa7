// Which row of a GID table NCCL sends from. Pure.
// Source: ncclIbGetGidIndex, ncclUpdateGidIndex and ncclIbRoceGetVersionNum in src/transport/net_ib
// of NCCL 2.21 to 2.30.7.
#pragma once

#include "fabric/model/hca.h"
#include "fabric/model/nccl_version.h"
#include "fabric/model/variables.h"

#include <optional>

namespace ferrule {

struct GidOutcome {
    unsigned index{0};
    // A type that decided could not be read: up to 2.26.1 an error, later the result is by chance.
    bool unreadable{false};

    bool operator==(const GidOutcome&) const = default;
};

// The row that the rule of NCCL 2.21 and later settles on, with the given family, RoCE version and
// range. Rows that do not exist are all-zero; the answer may be one of them, which is how a wrong
// family shows.
[[nodiscard]] GidOutcome nccl_gid_rule(const Port& port, const GidWish& wish);

// The row for a RoCE port under these variables: the forced index, else the rule, else (before
// 2.21) row 0.
[[nodiscard]] GidOutcome nccl_gid(const Port& port, const Environment& environment,
                                  const NcclVersion& version);

}  // namespace ferrule
