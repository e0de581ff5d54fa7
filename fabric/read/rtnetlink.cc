#include "fabric/read/rtnetlink.h"

#include "fabric/read/netlink_message.h"

#include <algorithm>
#include <cstring>

#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <sys/socket.h>

namespace ferrule {

namespace {

using Bytes = std::span<const std::byte>;

constexpr std::string_view kWhat = "rtnetlink";

std::optional<IpAddress> address_of(Bytes value, unsigned char family) {
    IpAddress address{family == AF_INET ? IpFamily::V4 : IpFamily::V6, {}};
    if ((family != AF_INET && family != AF_INET6) || value.size() != address.bits() / 8) {
        return std::nullopt;
    }
    std::memcpy(address.bytes.data(), value.data(), value.size());
    return address;
}

template <typename Number>
Number number_of(Bytes value) {
    return header_of<Number>(value).value_or(Number{});
}

// On a point-to-point link IFA_ADDRESS is the far end and IFA_LOCAL ours.
std::optional<IpAddress> local_address_of(const std::vector<NetlinkAttribute>& attributes,
                                          unsigned char family) {
    for (const unsigned wanted : {unsigned{IFA_LOCAL}, unsigned{IFA_ADDRESS}}) {
        const auto found = std::ranges::find(attributes, wanted, &NetlinkAttribute::type);
        if (found != attributes.end()) {
            return address_of(found->value, family);
        }
    }
    return std::nullopt;
}

// The interface of the first next hop of a multipath route, and its gateway.
void take_first_hop(Bytes value, unsigned char family, IndexedRoute& found) {
    const auto hop = header_of<rtnexthop>(value);
    if (!hop || hop->rtnh_len < sizeof(rtnexthop) || hop->rtnh_len > value.size()) {
        return;
    }
    found.ifindex = hop->rtnh_ifindex;
    const auto inner =
        attributes_of(value.subspan(sizeof(rtnexthop), hop->rtnh_len - sizeof(rtnexthop)));
    for (const NetlinkAttribute& attribute : inner.value_or(std::vector<NetlinkAttribute>{})) {
        if (attribute.type == RTA_GATEWAY) {
            found.route.gateway = address_of(attribute.value, family);
        }
    }
}

IndexedRoute route_of(const rtmsg& message, const std::vector<NetlinkAttribute>& attributes) {
    const unsigned char family = message.rtm_family;
    IndexedRoute found{};
    found.route.destination.address.family = family == AF_INET ? IpFamily::V4 : IpFamily::V6;
    found.route.destination.length = message.rtm_dst_len;
    for (const auto& [type, value] : attributes) {
        switch (type) {
            case RTA_DST:
                found.route.destination.address =
                    address_of(value, family).value_or(found.route.destination.address);
                break;
            case RTA_OIF:
                found.ifindex = number_of<int>(value);
                break;
            case RTA_GATEWAY:
                found.route.gateway = address_of(value, family);
                break;
            case RTA_PREFSRC:
                found.route.source = address_of(value, family);
                break;
            case RTA_PRIORITY:
                found.route.metric = number_of<unsigned>(value);
                break;
            case RTA_MULTIPATH:
                take_first_hop(value, family, found);
                break;
            default:
                break;
        }
    }
    return found;
}

bool is_wanted(const rtmsg& message, RouteTable table) {
    const bool ip = message.rtm_family == AF_INET || message.rtm_family == AF_INET6;
    const bool in_table = table == RouteTable::Any || (message.rtm_table == RT_TABLE_MAIN &&
                                                       (message.rtm_flags & RTM_F_CLONED) == 0);
    return ip && in_table && message.rtm_type == RTN_UNICAST;
}

}  // namespace

Result<std::vector<IndexedAddress>> decode_addresses(Bytes messages) {
    std::vector<IndexedAddress> addresses;
    for (const auto& [type, body] : TRY(messages_of(messages, kWhat))) {
        if (type != RTM_NEWADDR) {
            continue;
        }
        const auto message = header_of<ifaddrmsg>(body);
        if (!message) {
            return cut_short();
        }
        const auto attributes = TRY(attributes_of(body.subspan(sizeof(ifaddrmsg))));
        if (const auto address = local_address_of(attributes, message->ifa_family)) {
            addresses.push_back(
                {static_cast<int>(message->ifa_index), {*address, message->ifa_prefixlen}});
        }
    }
    return addresses;
}

Result<std::vector<IndexedRoute>> decode_routes(Bytes messages, RouteTable table) {
    std::vector<IndexedRoute> routes;
    for (const auto& [type, body] : TRY(messages_of(messages, kWhat))) {
        if (type != RTM_NEWROUTE) {
            continue;
        }
        const auto message = header_of<rtmsg>(body);
        if (!message) {
            return cut_short();
        }
        const auto attributes = TRY(attributes_of(body.subspan(sizeof(rtmsg))));
        IndexedRoute route = route_of(*message, attributes);
        if (is_wanted(*message, table) && route.ifindex > 0) {
            routes.push_back(std::move(route));
        }
    }
    return routes;
}

}  // namespace ferrule
