#include "fabric/read/ip_text.h"

#include "fabric/base/text.h"

#include <algorithm>
#include <utility>

namespace ferrule {

namespace {

using Words = std::vector<std::string_view>;

// The word behind `key`, or an empty one.
std::string_view word_behind(const Words& line, std::string_view key) {
    const auto found = std::ranges::find(line, key);
    return found == line.end() || found + 1 == line.end() ? std::string_view{} : *(found + 1);
}

// "default", "10.0.0.0/8" or a single address. The default's family is that of the gateway.
std::optional<IpPrefix> destination_of(std::string_view word, std::optional<IpAddress> gateway,
                                       IpFamily otherwise) {
    if (word == "default") {
        return IpPrefix{IpAddress{gateway ? gateway->family : otherwise, {}}, 0};
    }
    if (const auto prefix = parse_prefix(word)) {
        return prefix;
    }
    const auto address = parse_ip(word);
    return address ? std::optional{prefix_of(*address, address->bits())} : std::nullopt;
}

}  // namespace

std::vector<NamedAddress> parse_ip_address(std::string_view text) {
    std::vector<NamedAddress> addresses;
    for (const std::string_view line : split(text, '\n')) {
        const Words parts = words(line);
        if (parts.size() < 4 || (parts[2] != "inet" && parts[2] != "inet6")) {
            continue;
        }
        const std::string_view value = parts[3];
        const std::size_t slash = value.find('/');
        const auto address = parse_ip(value.substr(0, slash));
        if (!address) {
            continue;
        }
        const auto length = slash == std::string_view::npos
                                ? std::optional{address->bits()}
                                : parse_number<unsigned>(value.substr(slash + 1));
        // "bond0.100@bond0" names the device it stands on too.
        const std::string_view name = parts[1].substr(0, parts[1].find('@'));
        if (length && *length <= address->bits()) {
            addresses.push_back({std::string{name}, {*address, *length}});
        }
    }
    return addresses;
}

std::vector<Route> parse_ip_route(std::string_view text) {
    std::vector<Route> routes;
    // `ip -6 route` follows `ip route`: once an IPv6 destination was seen, the rest is IPv6.
    IpFamily family = IpFamily::V4;
    // The destination of a route whose next hops stand on lines of their own.
    std::optional<IpPrefix> pending;
    for (const std::string_view line : split(text, '\n')) {
        const Words parts = words(line);
        if (parts.empty()) {
            continue;
        }
        Route route{};
        route.netdev = word_behind(parts, "dev");
        route.gateway = parse_ip(word_behind(parts, "via"));
        const auto destination = parts.front() == "nexthop"
                                     ? std::exchange(pending, std::nullopt)
                                     : destination_of(parts.front(), route.gateway, family);
        if (!destination) {
            continue;
        }
        route.destination = *destination;
        family = destination->address.family;
        route.source = parse_ip(word_behind(parts, "src"));
        route.metric = parse_number<unsigned>(word_behind(parts, "metric")).value_or(0);
        if (route.netdev.empty()) {
            pending = destination;
        } else {
            routes.push_back(std::move(route));
        }
    }
    return routes;
}

}  // namespace ferrule
