// The GID and P_Key tables of one port.
#pragma once

#include "fabric/model/hca.h"
#include "fabric/read/attributes.h"
#include "fabric/read/node.h"

#include <optional>

namespace ferrule {

// Fills `gids`, `gid_table_size` and `pkeys` of a port whose link layer is already known. An empty
// row has no type to ask for (the kernel answers EINVAL), so its other files are not touched.
void read_port_tables(const Dir& port_dir, const Attributes& attributes, const ReadRequest& request,
                      Port& port);

// The kernel says -1 where there is one memory domain or none is known.
[[nodiscard]] std::optional<int> known_numa_node(std::optional<int> numa_node);

}  // namespace ferrule
