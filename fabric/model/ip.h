// IP addresses and prefixes as values: parse, format, compare, contain. Nothing here resolves
// names.
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace ferrule {

enum class IpFamily { V4, V6 };

// An address in network byte order; IPv4 uses the first four bytes, the rest are zero.
struct IpAddress {
    IpFamily family{IpFamily::V4};
    std::array<std::uint8_t, 16> bytes{};

    [[nodiscard]] unsigned bits() const { return family == IpFamily::V4 ? 32 : 128; }

    // 169.254.0.0/16 or fe80::/10: valid on one link only, never routed.
    [[nodiscard]] bool is_link_local() const;
    // 127.0.0.0/8 or ::1.
    [[nodiscard]] bool is_loopback() const;

    auto operator<=>(const IpAddress&) const = default;
};

// `address` with all bits behind `length` zero, when made by prefix_of or parse_prefix.
struct IpPrefix {
    IpAddress address{};
    unsigned length{0};

    [[nodiscard]] bool contains(const IpAddress& candidate) const;

    auto operator<=>(const IpPrefix&) const = default;
};

// Numeric text only ("10.0.0.1", "fd00::1"); names, zones and blanks give nullopt.
[[nodiscard]] std::optional<IpAddress> parse_ip(std::string_view text);
// "10.0.0.0/8"; host bits are cleared. nullopt without a length or with one out of range.
[[nodiscard]] std::optional<IpPrefix> parse_prefix(std::string_view text);
[[nodiscard]] IpPrefix prefix_of(const IpAddress& address, unsigned length);
// How many leading bits the two share; 0 when the families differ.
[[nodiscard]] unsigned common_bits(const IpAddress& left, const IpAddress& right);

[[nodiscard]] std::string to_text(const IpAddress& address);
[[nodiscard]] std::string to_text(const IpPrefix& prefix);

}  // namespace ferrule
