// The link of a PCIe function.
// Source: Documentation/ABI/testing/sysfs-bus-pci, max_link_speed and max_link_width.
#pragma once

#include <optional>
#include <string_view>

namespace ferrule {

struct PciLink {
    // Tenths of GT/s for each lane: 25, 50, 80, 160, 320, 640.
    unsigned tenth_gts{0};
    unsigned lanes{0};

    // Tenths of Gb/s that are left of it behind the line code: 8 of 10 bits up to 5 GT/s, 128 of
    // 130 above.
    [[nodiscard]] unsigned tenth_gbps() const;

    bool operator==(const PciLink&) const = default;
};

// "32.0 GT/s PCIe" and "16". nullopt for "Unknown", 0 and 255, which virtual functions show.
[[nodiscard]] std::optional<PciLink> parse_pci_link(std::string_view speed, std::string_view lanes);

}  // namespace ferrule
