// Data Center Bridging as dcbnl encodes it: the answer's bytes into values, and the question.
// Pure. Source: linux/dcbnl.h and net/dcb/dcbnl.c of Linux 6.1.
#pragma once

#include "fabric/base/result.h"
#include "fabric/model/dcb.h"

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

namespace ferrule {

// RTM_GETDCB with DCB_CMD_IEEE_GET for one interface.
[[nodiscard]] std::vector<std::byte> encode_dcb_request(std::string_view netdev);

// What the answer tells of PFC, ETS, applications, buffers and DCBX. A driver leaves out what it
// does not have; an attribute that is shorter than the structure of Linux 6.1 counts as left out, a
// longer one is read as far as that structure goes.
//
// Errors: the kernel's own (std::errc::operation_not_supported where the driver has no DCB, which
// is so on every VF), std::errc::bad_message for bytes that are no such answer.
[[nodiscard]] Result<DcbState> decode_dcb(std::span<const std::byte> messages);

}  // namespace ferrule
