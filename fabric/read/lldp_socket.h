// Waits for what the switches say of themselves. A switch sends a frame each thirty seconds or so,
// so a deadline of less may miss a healthy one: silence is no fault.
#pragma once

#include "fabric/base/deadline.h"
#include "fabric/base/result.h"

#include <cstddef>
#include <map>
#include <string>
#include <vector>

namespace ferrule {

// The first LLDP frame that came in on each of these interfaces, for decode_lldp; an interface that
// stayed silent, or is not there, has none. Returns as soon as there is one for each, and at the
// deadline. Frames reach the members of a bond, not the bond.
//
// The frames are asked for at the interface, which makes it take the protocol's three group
// addresses for as long as this waits; nothing is sent. Adapters whose firmware speaks LLDP itself
// may keep them. Errors: std::errc::operation_not_permitted without CAP_NET_RAW, and what else the
// kernel says to a socket.
[[nodiscard]] Result<std::map<std::string, std::vector<std::byte>>> listen_for_lldp(
    const std::vector<std::string>& netdevs, Deadline deadline);

}  // namespace ferrule
