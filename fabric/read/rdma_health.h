// What only a health check asks of an RDMA device: counters, its way over PCIe, the version of its
// driver, and the defaults of rdma_cm.
#pragma once

#include "fabric/model/hca.h"
#include "fabric/read/attributes.h"
#include "fabric/read/node.h"

namespace ferrule {

// Fills the members of `hca` and its ports that read_hca leaves empty at other depths. `dir` is
// the root, `at` are the attributes of the device's directory in sysfs; the device and its ports
// are read already.
void read_rdma_health(const Dir& dir, const Attributes& at, const ReadRequest& request, Hca& hca);

}  // namespace ferrule
