// The ports of one RDMA device: state, rate, addresses, tables, and the netdev of each.
#pragma once

#include "fabric/model/hca.h"
#include "fabric/read/attributes.h"
#include "fabric/read/node.h"

#include <vector>

namespace ferrule {

// In natural order; `hca` are the attributes of the device's directory in sysfs. Counters are left
// out: see rdma_health.h.
[[nodiscard]] std::vector<Port> read_ports(const Attributes& hca, const ReadRequest& request);

}  // namespace ferrule
