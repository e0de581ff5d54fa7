// Asks this machine's kernel for the Data Center Bridging of one interface.
#pragma once

#include "fabric/base/deadline.h"
#include "fabric/base/result.h"

#include <cstddef>
#include <string>
#include <vector>

namespace ferrule {

// The bytes for decode_dcb, a refusal of the kernel's among them. Needs no privilege.
[[nodiscard]] Result<std::vector<std::byte>> ask_dcb(const std::string& netdev, Deadline deadline);

}  // namespace ferrule
