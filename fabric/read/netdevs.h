// Network devices from sys/class/net. Addresses and routes come from ip_text.h or rtnetlink.h.
// Source: Documentation/ABI/testing/sysfs-class-net of Linux 6.1.
#pragma once

#include "fabric/model/snapshot.h"
#include "fabric/read/node.h"

#include <vector>

namespace ferrule {

// In natural order of names, addresses left empty.
[[nodiscard]] std::vector<Netdev> read_netdevs(const Dir& root, Depth depth,
                                               std::vector<ReadProblem>& problems);

}  // namespace ferrule
