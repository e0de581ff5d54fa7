// The framing that all netlink messages share. Pure; for the files that walk their bytes.
// Source: netlink(7), linux/netlink.h of Linux 6.1.
#pragma once

#include "fabric/base/result.h"

#include <cstddef>
#include <cstring>
#include <optional>
#include <span>

namespace ferrule {

// NLA_TYPE_MASK as a number without a sign.
inline constexpr unsigned kAttributeTypeMask = 0x3fff;

// Messages, attributes and next hops begin at multiples of four.
[[nodiscard]] constexpr std::size_t netlink_aligned(std::size_t length) {
    constexpr std::size_t kAlignment = 4;
    return (length + kAlignment - 1) & ~(kAlignment - 1);
}

[[nodiscard]] inline tl::unexpected<Error> cut_short() {
    return fail(std::errc::bad_message, "netlink: message cut short");
}

// A header copied out of the bytes, which need not be aligned; nothing where they are too few.
template <typename Header>
[[nodiscard]] std::optional<Header> header_of(std::span<const std::byte> bytes) {
    if (bytes.size() < sizeof(Header)) {
        return std::nullopt;
    }
    Header header{};
    std::memcpy(&header, bytes.data(), sizeof header);
    return header;
}

}  // namespace ferrule
