// RDMA devices from sys/class/infiniband, all ports of each.
// Source: Documentation/ABI/stable/sysfs-class-infiniband of Linux 6.1 and 6.12.
#pragma once

#include "fabric/model/snapshot.h"
#include "fabric/read/node.h"

#include <string>
#include <vector>

namespace ferrule {

// In natural order of names. No devices when the class is absent.
[[nodiscard]] std::vector<Hca> read_hcas(const Dir& root, const ReadRequest& request,
                                         std::vector<ReadProblem>& problems);

// Their names in that order, without a look into any: a device that hangs holds nobody up here.
[[nodiscard]] std::vector<std::string> hca_names(const Dir& root,
                                                 std::vector<ReadProblem>& problems);

// The interfaces that their ports stand on, as the first rows of their GID tables name them. No
// driver is asked: the kernel keeps these tables itself.
[[nodiscard]] std::vector<std::string> rdma_netdevs(const Dir& root);

// One of them. Of a device that is not there, or has just gone, a problem and the name.
[[nodiscard]] Hca read_hca(const Dir& root, const std::string& name, const ReadRequest& request,
                           std::vector<ReadProblem>& problems);

}  // namespace ferrule
