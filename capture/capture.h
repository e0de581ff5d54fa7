// Makes the archive of a node: what its readers read, and nothing else.
#pragma once

#include "fabric/archive/archive.h"
#include "fabric/base/result.h"

#include <cstdint>
#include <optional>
#include <string>

namespace ferrule {

struct CaptureRequest {
    std::string sysroot{"/"};
    // What the archive calls the machine.
    std::string name{"node"};
    // Absent: names and addresses stay as they are.
    std::optional<std::uint64_t> salt{};
};

// Fails only where read_node does; what could not be read is a comment of the archive.
[[nodiscard]] Result<Archive> capture_node(const CaptureRequest& request);

}  // namespace ferrule
