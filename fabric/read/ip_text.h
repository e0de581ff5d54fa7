// Addresses and routes of a captured tree: the text of `ip -o address show` and of `ip route show`
// and `ip -6 route show`. Pure functions over text.
#pragma once

#include "fabric/model/netdev.h"

#include <string>
#include <string_view>
#include <vector>

namespace ferrule {

struct NamedAddress {
    std::string netdev{};
    NetAddress address{};

    bool operator==(const NamedAddress&) const = default;
};

// Lines of another form are skipped; the order is kept.
[[nodiscard]] std::vector<NamedAddress> parse_ip_address(std::string_view text);

// Unicast routes with a device; "unreachable", "blackhole" and the like are skipped. Of a route
// with several next hops the first counts.
[[nodiscard]] std::vector<Route> parse_ip_route(std::string_view text);

}  // namespace ferrule
