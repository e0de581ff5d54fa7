// Addresses and routes as rtnetlink encodes them: pure functions over the bytes of replies.
// Source: rtnetlink(7), linux/rtnetlink.h, linux/if_addr.h of Linux 6.1.
#pragma once

#include "fabric/base/result.h"
#include "fabric/model/netdev.h"

#include <cstddef>
#include <span>
#include <vector>

namespace ferrule {

struct IndexedAddress {
    int ifindex{0};
    NetAddress address{};

    bool operator==(const IndexedAddress&) const = default;
};

// `route.netdev` is left empty; the caller knows the names.
struct IndexedRoute {
    int ifindex{0};
    Route route{};

    bool operator==(const IndexedRoute&) const = default;
};

// The local addresses in a series of RTM_NEWADDR messages, in order. Other messages are skipped;
// an error message, a cut message or a cut attribute is an error.
[[nodiscard]] Result<std::vector<IndexedAddress>> decode_addresses(
    std::span<const std::byte> messages);

// Unicast routes of the main table, or of any table for the answer to a single lookup.
enum class RouteTable { Main, Any };
[[nodiscard]] Result<std::vector<IndexedRoute>> decode_routes(std::span<const std::byte> messages,
                                                              RouteTable table);

}  // namespace ferrule
