#include "fabric/model/pci.h"

#include "fabric/base/text.h"

#include <fmt/format.h>

#include <algorithm>

namespace ferrule {

namespace {

// Bridges of `place` behind the first `shared` directories, the function itself not counted.
std::size_t bridges_below(const PciPlace& place, std::size_t shared) {
    return place.path.size() - std::min(place.path.size(), shared + 1);
}

}  // namespace

std::optional<PciAddress> parse_pci_address(std::string_view text) {
    const auto parts = split(text, ':');
    if (parts.size() != 3 || parts[0].size() < 4 || parts[1].size() != 2 || parts[2].size() != 4 ||
        parts[2][2] != '.') {
        return std::nullopt;
    }
    const auto domain = parse_number<std::uint32_t>(parts[0], 16);
    const auto bus = parse_number<std::uint8_t>(parts[1], 16);
    const auto device = parse_number<std::uint8_t>(parts[2].substr(0, 2), 16);
    const auto function = parse_number<std::uint8_t>(parts[2].substr(3), 16);
    if (!domain || !bus || !device || !function || *device > 31 || *function > 7) {
        return std::nullopt;
    }
    return PciAddress{*domain, *bus, *device, *function};
}

std::string to_text(const PciAddress& address) {
    return fmt::format("{:04x}:{:02x}:{:02x}.{:x}", address.domain, address.bus, address.device,
                       address.function);
}

PciPlace pci_place_of_link(std::string_view link_target) {
    constexpr std::string_view kDevices = "devices/";
    PciPlace place{};
    const std::size_t start = link_target.find(kDevices);
    if (start == std::string_view::npos) {
        return place;
    }
    for (const std::string_view part : split(link_target.substr(start + kDevices.size()), '/')) {
        const bool host_bridge = place.path.empty() && part.starts_with("pci");
        const auto address = parse_pci_address(part);
        if (place.path.empty() && !host_bridge) {
            // Firmware and hypervisor nodes above the host bridge.
            continue;
        }
        if (!host_bridge && !address) {
            break;
        }
        place.path.emplace_back(part);
        place.address = address;
    }
    if (!place.address) {
        place.path.clear();
    }
    return place;
}

PciDistance distance(const PciPlace& left, const PciPlace& right) {
    const auto [left_end, right_end] = std::ranges::mismatch(left.path, right.path);
    const auto shared = static_cast<std::size_t>(left_end - left.path.begin());
    // The first directory is the host bridge, the second its root port.
    if (shared >= 2) {
        const bool one_switch =
            bridges_below(left, shared) <= 1 && bridges_below(right, shared) <= 1;
        return one_switch ? PciDistance::Pix : PciDistance::Pxb;
    }
    if (shared == 1) {
        return PciDistance::Phb;
    }
    return left.numa_node && left.numa_node == right.numa_node ? PciDistance::Node
                                                               : PciDistance::System;
}

}  // namespace ferrule
