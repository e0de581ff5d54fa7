// Asks this machine's kernel about an Ethernet port over generic netlink.
#pragma once

#include "fabric/base/deadline.h"
#include "fabric/base/result.h"
#include "fabric/read/ethtool_netlink.h"

#include <cstddef>
#include <string>
#include <vector>

namespace ferrule {

// The number of the family, once for many questions. std::errc::operation_not_supported on a kernel
// before 5.6, which has no such family.
[[nodiscard]] Result<std::uint16_t> ask_ethtool_family(Deadline deadline);

// The bytes for decode_ethtool, a refusal of the kernel's among them. Needs no privilege.
[[nodiscard]] Result<std::vector<std::byte>> ask_ethtool(const EthtoolRequest& request,
                                                         Deadline deadline);

}  // namespace ferrule
