// What a node's kernel says of itself: modules, settings, its boot.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace ferrule {

struct HostState {
    // proc/sys/kernel/random/boot_id: another one is another boot.
    std::string boot_id{};
    // Since the boot, suspended time included.
    std::optional<std::uint64_t> uptime_ms{};
    // Of the machine: sys/class/dmi/id/product_name, "p5.48xlarge".
    std::string product{};
    // Loaded or built-in modules that have a folder in sys/module, sorted; the dash of a name is
    // an underscore there.
    std::vector<std::string> modules{};
    // Of the network: "net.ipv4.conf.all.arp_ignore" and its value.
    std::vector<std::pair<std::string, std::string>> sysctls{};
    // The kernel's IOMMU groups exist.
    std::optional<bool> iommu{};

    bool operator==(const HostState&) const = default;
};

}  // namespace ferrule
