// Replies of the kernel's netlink, kept in a captured tree as hexadecimal text. Pure.
#pragma once

#include "fabric/base/result.h"
#include "fabric/model/ip.h"

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ferrule {

inline constexpr const char* kAddressReplies = "ferrule/rtnetlink-addresses";
inline constexpr const char* kRouteReplies = "ferrule/rtnetlink-routes";

// 32 bytes a line.
[[nodiscard]] std::string hex_lines(std::span<const std::byte> bytes);
[[nodiscard]] Result<std::vector<std::byte>> parse_hex_lines(std::string_view text);

// Rewrites, in place, every IP address in a series of RTM_NEWADDR or RTM_NEWROUTE messages. A
// route's destination stays a network: bits behind its length are cleared again.
using Rewrite = std::function<IpAddress(const IpAddress&)>;
[[nodiscard]] Result<void> rewrite_addresses(std::span<std::byte> messages, const Rewrite& rewrite);

}  // namespace ferrule
