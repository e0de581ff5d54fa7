// The way of a PCIe function to its root port: links, settings, errors.
// Source: Documentation/ABI/testing/sysfs-bus-pci and sysfs-bus-pci-devices-aer_stats of
// Linux 6.12.
#pragma once

#include "fabric/model/pci_health.h"
#include "fabric/model/snapshot.h"
#include "fabric/read/dir.h"

#include <optional>
#include <string_view>
#include <vector>

namespace ferrule {

// Of the function at `place`; of a virtual one whose physical one is visible, all is that one's,
// since a virtual function has no link and no settings of its own.
//
// The settings take CAP_SYS_ADMIN: others get the first 64 bytes of `config`, of which nothing
// follows, and that is no problem. In a captured tree the bytes are in ferrule/pci-config.
[[nodiscard]] PciHealth read_pci_health(const Dir& root, const PciPlace& place,
                                        std::vector<ReadProblem>& problems);

// The number behind TOTAL_ERR_COR, TOTAL_ERR_NONFATAL or TOTAL_ERR_FATAL.
[[nodiscard]] std::optional<std::uint64_t> parse_aer_total(std::string_view text);

}  // namespace ferrule
