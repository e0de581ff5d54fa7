// Reads all that a health check wants to know of a node, each device in a process of its own with a
// deadline: one whose driver hangs is a finding, and the others are read as usual.
#pragma once

#include "fabric/base/result.h"
#include "fabric/model/snapshot.h"
#include "fabric/read/node.h"

#include <chrono>
#include <string>

namespace ferrule {

struct HealthRequest {
    // Of `depth` Health, whatever it says.
    ReadRequest read{};
    std::chrono::milliseconds patience{2000};
    // With what is no device; without it there is no answer at all.
    std::chrono::milliseconds node_patience{8000};
    // How long to listen for the switches' frames; 0 to leave it.
    std::chrono::milliseconds lldp{0};
};

// Fails only when the root cannot be opened or holds no sysfs, or when the part of the node that is
// no device could not be read. A device that hangs is in `hung`, and in `hcas` or `netdevs` by its
// name and place only.
[[nodiscard]] Result<NodeSnapshot> read_health(const std::string& root_path, Source source,
                                               const HealthRequest& given);

}  // namespace ferrule
