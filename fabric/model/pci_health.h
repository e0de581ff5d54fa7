// The way of a PCIe function to its root port, and the settings that cost bandwidth.
// Source: Documentation/ABI/testing/sysfs-bus-pci; PCI Express Base Specification 5.0, 7.5.3.4
// (device control) and 7.7.8 (access control services).
#pragma once

#include "fabric/model/pci.h"
#include "fabric/model/pci_link.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace ferrule {

// One function on the way, and the link above it.
struct PciHop {
    PciAddress address{};
    std::optional<PciLink> current{};
    std::optional<PciLink> max{};
    // Bridges only: requests between functions below it go through the root complex. Absent where
    // that cannot be read (it takes CAP_SYS_ADMIN), or the bridge has no such capability.
    std::optional<bool> acs_redirects{};

    bool operator==(const PciHop&) const = default;
};

struct PciHealth {
    // From the function itself up to the root port.
    std::vector<PciHop> path{};
    // Bytes.
    std::optional<unsigned> max_read_request{};
    std::optional<unsigned> max_payload{};
    std::optional<bool> relaxed_ordering{};
    // Totals of advanced error reporting, of the function itself.
    std::optional<std::uint64_t> correctable_errors{};
    std::optional<std::uint64_t> nonfatal_errors{};
    std::optional<std::uint64_t> fatal_errors{};

    bool operator==(const PciHealth&) const = default;
};

}  // namespace ferrule
