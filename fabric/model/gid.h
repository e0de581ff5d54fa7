// The global identifier of a port, and one row of a port's GID table.
// Source: InfiniBand Architecture Specification vol. 1, section 4.1; RoCE v2 annex A17;
// Documentation/ABI/stable/sysfs-class-infiniband.
#pragma once

#include "fabric/model/ip.h"

#include <array>
#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace ferrule {

// 16 bytes in network order.
struct Gid {
    std::array<std::uint8_t, 16> bytes{};

    [[nodiscard]] bool is_zero() const { return bytes == decltype(bytes){}; }

    // fe80::/10, or an IPv4-mapped 169.254.0.0/16: reaches one link only.
    [[nodiscard]] bool is_link_local() const;
    // Set when the GID holds ::ffff:a.b.c.d.
    [[nodiscard]] std::optional<IpAddress> ipv4_mapped() const;
    // The IP address that a RoCE GID stands for.
    [[nodiscard]] IpAddress address() const;

    auto operator<=>(const Gid&) const = default;
};

enum class GidType { Ib, RoceV1, RoceV2 };

// One non-empty row. `netdev` is empty where the kernel names none (InfiniBand).
struct GidEntry {
    unsigned index{0};
    Gid gid{};
    std::optional<GidType> type{};
    std::string netdev{};

    bool operator==(const GidEntry&) const = default;
};

// What a usable GID must be.
struct GidWish {
    IpFamily family{IpFamily::V4};
    GidType type{GidType::RoceV2};
    // Where the site bounds it.
    std::optional<IpPrefix> subnet{};

    bool operator==(const GidWish&) const = default;
};

// A row that packets can be routed from: an address of its own, not one of a single link.
[[nodiscard]] bool is_routable(const GidEntry& entry);
// Routable, and as wished.
[[nodiscard]] bool fits(const GidEntry& entry, const GidWish& wish);

// Eight groups of four hexadecimal digits, as sysfs prints them.
[[nodiscard]] std::optional<Gid> parse_gid(std::string_view text);
[[nodiscard]] std::string to_text(const Gid& gid);
// The text of gid_attrs/types: "IB/RoCE v1" on Ethernet is RoceV1, the same text on InfiniBand Ib.
[[nodiscard]] std::optional<GidType> parse_gid_type(std::string_view text, bool infiniband);
[[nodiscard]] std::string_view to_text(GidType type);

}  // namespace ferrule
