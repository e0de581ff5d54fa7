// Network devices from sys/class/net. Addresses and routes come from ip_text.h or rtnetlink.h.
// Source: Documentation/ABI/testing/sysfs-class-net of Linux 6.1.
#pragma once

#include "fabric/model/snapshot.h"
#include "fabric/read/node.h"

#include <string>
#include <vector>

namespace ferrule {

// In natural order of names, addresses left empty.
[[nodiscard]] std::vector<Netdev> read_netdevs(const Dir& root, Depth depth,
                                               std::vector<ReadProblem>& problems);

// What the kernel itself keeps of them, in the same order: no driver is asked and no lock taken
// that a driver may hold, so that carrier, speed and members of a bond are left out.
[[nodiscard]] std::vector<Netdev> read_kept_netdevs(const Dir& root,
                                                    std::vector<ReadProblem>& problems);

// Their names in that order, without a look into any.
[[nodiscard]] std::vector<std::string> netdev_names(const Dir& root,
                                                    std::vector<ReadProblem>& problems);

// One of them. Of a device that is not there, or has just gone, a problem and the name.
[[nodiscard]] Netdev read_netdev(const Dir& root, const std::string& name, Depth depth,
                                 std::vector<ReadProblem>& problems);

}  // namespace ferrule
