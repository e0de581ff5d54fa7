// RDMA devices from sys/class/infiniband, all ports of each.
// Source: Documentation/ABI/stable/sysfs-class-infiniband of Linux 6.1 and 6.12.
#pragma once

#include "fabric/model/snapshot.h"
#include "fabric/read/node.h"

#include <vector>

namespace ferrule {

// In natural order of names. No devices when the class is absent.
[[nodiscard]] std::vector<Hca> read_hcas(const Dir& root, const ReadRequest& request,
                                         std::vector<ReadProblem>& problems);

}  // namespace ferrule
