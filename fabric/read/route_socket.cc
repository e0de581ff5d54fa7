#include "fabric/read/route_socket.h"

#include "fabric/read/netlink_message.h"
#include "fabric/read/netlink_socket.h"

#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <sys/socket.h>

namespace ferrule {

Result<std::vector<std::byte>> RouteSocket::dump(unsigned short type) const {
    // A zero family asks for all of them; rtmsg and ifaddrmsg both begin with it.
    const rtmsg head{};
    const auto request = encode_request({type, NLM_F_DUMP, bytes_of(head), {}});
    return ask_netlink({NETLINK_ROUTE, request, NetlinkUntil::Done}, deadline_);
}

Result<std::vector<std::byte>> RouteSocket::route_to(const IpAddress& destination) const {
    const std::size_t size = destination.bits() / 8;
    rtmsg head{};
    head.rtm_family = destination.family == IpFamily::V4 ? AF_INET : AF_INET6;
    head.rtm_dst_len = static_cast<unsigned char>(destination.bits());
    const auto attributes =
        encode_attribute(RTA_DST, std::as_bytes(std::span{destination.bytes}).first(size));
    const auto request = encode_request({RTM_GETROUTE, 0, bytes_of(head), attributes});
    return ask_netlink({NETLINK_ROUTE, request, NetlinkUntil::FirstDatagram}, deadline_);
}

}  // namespace ferrule
