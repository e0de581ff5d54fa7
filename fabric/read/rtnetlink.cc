#include "fabric/read/rtnetlink.h"

#include "fabric/read/rtnetlink_bytes.h"

#include <algorithm>
#include <cerrno>
#include <cstring>

#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <sys/socket.h>

namespace ferrule {

namespace {

using Bytes = std::span<const std::byte>;

struct Attribute {
    unsigned type{0};
    Bytes value{};
};

Result<std::vector<Attribute>> attributes_of(Bytes bytes) {
    std::vector<Attribute> attributes;
    while (!bytes.empty()) {
        const auto header = header_of<rtattr>(bytes);
        if (!header || header->rta_len < sizeof(rtattr) || header->rta_len > bytes.size()) {
            return cut_short();
        }
        attributes.push_back({static_cast<unsigned>(header->rta_type) & kAttributeTypeMask,
                              bytes.subspan(sizeof(rtattr), header->rta_len - sizeof(rtattr))});
        bytes = bytes.subspan(std::min(netlink_aligned(header->rta_len), bytes.size()));
    }
    return attributes;
}

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

// Of an error message: 0 is an acknowledgement. The kernel's numbers are negative and end at 4095.
int error_number(Bytes body) {
    constexpr int kLastErrno = 4095;
    const int error = header_of<nlmsgerr>(body).value_or(nlmsgerr{-EBADMSG, {}}).error;
    return error <= 0 && error >= -kLastErrno ? -error : EBADMSG;
}

// Calls `take` with the body of each message of `type`, until it fails.
template <typename Take>
Result<void> for_each_message(Bytes bytes, unsigned type, Take take) {
    while (!bytes.empty()) {
        const auto header = header_of<nlmsghdr>(bytes);
        if (!header || header->nlmsg_len < sizeof(nlmsghdr) || header->nlmsg_len > bytes.size()) {
            return cut_short();
        }
        const Bytes body = bytes.subspan(sizeof(nlmsghdr), header->nlmsg_len - sizeof(nlmsghdr));
        if (header->nlmsg_type == NLMSG_ERROR) {
            if (const int error = error_number(body); error != 0) {
                return fail_errno(error, "rtnetlink");
            }
        }
        if (header->nlmsg_type == type) {
            if (auto taken = take(body); !taken) {
                return taken;
            }
        }
        bytes = bytes.subspan(std::min(netlink_aligned(header->nlmsg_len), bytes.size()));
    }
    return {};
}

// On a point-to-point link IFA_ADDRESS is the far end and IFA_LOCAL ours.
std::optional<IpAddress> local_address_of(const std::vector<Attribute>& attributes,
                                          unsigned char family) {
    for (const unsigned wanted : {unsigned{IFA_LOCAL}, unsigned{IFA_ADDRESS}}) {
        const auto found = std::ranges::find(attributes, wanted, &Attribute::type);
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
    for (const Attribute& attribute : inner.value_or(std::vector<Attribute>{})) {
        if (attribute.type == RTA_GATEWAY) {
            found.route.gateway = address_of(attribute.value, family);
        }
    }
}

IndexedRoute route_of(const rtmsg& message, const std::vector<Attribute>& attributes) {
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

}  // namespace

Result<std::vector<IndexedAddress>> decode_addresses(Bytes messages) {
    std::vector<IndexedAddress> addresses;
    const auto take = [&](Bytes body) -> Result<void> {
        const auto message = header_of<ifaddrmsg>(body);
        if (!message) {
            return cut_short();
        }
        const auto attributes = TRY(attributes_of(body.subspan(sizeof(ifaddrmsg))));
        if (const auto address = local_address_of(attributes, message->ifa_family)) {
            addresses.push_back(
                {static_cast<int>(message->ifa_index), {*address, message->ifa_prefixlen}});
        }
        return {};
    };
    return for_each_message(messages, RTM_NEWADDR, take).map([&] { return std::move(addresses); });
}

Result<std::vector<IndexedRoute>> decode_routes(Bytes messages, RouteTable table) {
    std::vector<IndexedRoute> routes;
    const auto take = [&](Bytes body) -> Result<void> {
        const auto message = header_of<rtmsg>(body);
        if (!message) {
            return cut_short();
        }
        const auto attributes = TRY(attributes_of(body.subspan(sizeof(rtmsg))));
        const bool ip = message->rtm_family == AF_INET || message->rtm_family == AF_INET6;
        const bool wanted = table == RouteTable::Any || (message->rtm_table == RT_TABLE_MAIN &&
                                                         (message->rtm_flags & RTM_F_CLONED) == 0);
        if (!ip || !wanted || message->rtm_type != RTN_UNICAST) {
            return {};
        }
        IndexedRoute route = route_of(*message, attributes);
        if (route.ifindex > 0) {
            routes.push_back(std::move(route));
        }
        return {};
    };
    return for_each_message(messages, RTM_NEWROUTE, take).map([&] { return std::move(routes); });
}

}  // namespace ferrule
