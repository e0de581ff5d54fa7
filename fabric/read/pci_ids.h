// Numbers of PCI vendors, devices and classes that Ferrule tells apart.
// Source: pci.ids; the table of drivers/net/ethernet/mellanox/mlx{4,5} of Linux 6.12.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

namespace ferrule {

inline constexpr std::uint16_t kMellanox = 0x15b3;
inline constexpr std::uint16_t kAmazon = 0x1d0f;

// A virtual function in a guest has no physfn link, but its device number tells.
[[nodiscard]] constexpr bool is_mellanox_virtual_function(std::uint16_t vendor,
                                                          std::uint16_t device) {
    constexpr std::array<std::uint16_t, 8> kDevices{0x1004, 0x1014, 0x1016, 0x1018,
                                                    0x101a, 0x101c, 0x101e, 0xa2d3};
    return vendor == kMellanox && std::ranges::count(kDevices, device) > 0;
}

}  // namespace ferrule
