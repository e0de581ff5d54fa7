// PCI functions that an RDMA driver could serve, whether one does or not.
#pragma once

#include "fabric/model/snapshot.h"
#include "fabric/read/dir.h"

#include <vector>

namespace ferrule {

// In order of addresses: InfiniBand controllers of any vendor, Ethernet ones of Mellanox
// from ConnectX-3 and BlueField on, and Amazon's EFA. Virtual functions whose physical one is here
// are left out, since they are for guests; so are Ethernet ones of Mellanox in a guest. Adapters of
// other vendors, most of which are bought without RDMA, are left out too.
[[nodiscard]] std::vector<RdmaFunction> read_rdma_functions(const Dir& root,
                                                            std::vector<ReadProblem>& problems);

}  // namespace ferrule
