#include "fabric/read/route_socket.h"

#include <cerrno>
#include <cstring>

#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <poll.h>
#include <sys/socket.h>

namespace ferrule {

namespace {

constexpr std::size_t kMostBytes = 4U << 20U;
constexpr std::size_t kDatagram = 65536;

template <typename Header>
void append(std::vector<std::byte>& bytes, const Header& header) {
    const std::size_t at = bytes.size();
    bytes.resize(at + sizeof header);
    std::memcpy(bytes.data() + at, &header, sizeof header);
}

std::vector<std::byte> request_of(unsigned short type, unsigned short flags, const rtmsg& body,
                                  const std::vector<std::byte>& attributes) {
    nlmsghdr header{};
    header.nlmsg_len = static_cast<unsigned>(sizeof header + sizeof body + attributes.size());
    header.nlmsg_type = type;
    header.nlmsg_flags = static_cast<unsigned short>(NLM_F_REQUEST | flags);
    std::vector<std::byte> request;
    append(request, header);
    append(request, body);
    request.insert(request.end(), attributes.begin(), attributes.end());
    return request;
}

// The type of the last message of a datagram; a dump ends with NLMSG_DONE.
unsigned short last_type(const std::byte* data, std::size_t size) {
    unsigned short type = 0;
    while (size >= sizeof(nlmsghdr)) {
        nlmsghdr header{};
        std::memcpy(&header, data, sizeof header);
        const std::size_t step = NLMSG_ALIGN(header.nlmsg_len);
        type = header.nlmsg_type;
        if (step < sizeof header || step > size) {
            break;
        }
        data += step;
        size -= step;
    }
    return type;
}

}  // namespace

Result<std::vector<std::byte>> RouteSocket::dump(unsigned short type) const {
    // A zero family asks for all of them; rtmsg and ifaddrmsg both begin with it.
    return exchange(request_of(type, NLM_F_DUMP, rtmsg{}, {}), Until::Done);
}

Result<std::vector<std::byte>> RouteSocket::route_to(const IpAddress& destination) const {
    rtmsg body{};
    body.rtm_family = destination.family == IpFamily::V4 ? AF_INET : AF_INET6;
    body.rtm_dst_len = static_cast<unsigned char>(destination.bits());
    rtattr attribute{};
    attribute.rta_type = RTA_DST;
    attribute.rta_len = static_cast<unsigned short>(RTA_LENGTH(destination.bits() / 8));
    std::vector<std::byte> attributes;
    append(attributes, attribute);
    const auto* const first = reinterpret_cast<const std::byte*>(destination.bytes.data());
    attributes.insert(attributes.end(), first, first + (destination.bits() / 8));
    return exchange(request_of(RTM_GETROUTE, 0, body, attributes), Until::FirstMessage);
}

Result<std::size_t> RouteSocket::receive(const Fd& fd, std::vector<std::byte>& into) const {
    pollfd waiting{fd.get(), POLLIN, 0};
    int ready = -1;
    do {
        ready = ::poll(&waiting, 1, static_cast<int>(deadline_.left().count()));
    } while (ready < 0 && errno == EINTR);
    if (ready == 0) {
        return fail(std::errc::timed_out, "rtnetlink: no answer from the kernel");
    }
    const std::size_t at = into.size();
    into.resize(at + kDatagram);
    const ssize_t got = ::recv(fd.get(), into.data() + at, kDatagram, 0);
    if (got < 0) {
        const int error_number = errno;
        into.resize(at);
        return fail_errno(error_number, "rtnetlink: receive");
    }
    into.resize(at + static_cast<std::size_t>(got));
    return static_cast<std::size_t>(got);
}

Result<std::vector<std::byte>> RouteSocket::exchange(const std::vector<std::byte>& request,
                                                     Until until) const {
    const Fd fd{::socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC | SOCK_NONBLOCK, NETLINK_ROUTE)};
    if (!fd.valid()) {
        return fail_errno(errno, "rtnetlink: socket");
    }
    sockaddr_nl kernel{};
    kernel.nl_family = AF_NETLINK;
    if (::sendto(fd.get(), request.data(), request.size(), 0,
                 reinterpret_cast<const sockaddr*>(&kernel), sizeof kernel) < 0) {
        return fail_errno(errno, "rtnetlink: send");
    }
    std::vector<std::byte> replies;
    while (replies.size() < kMostBytes) {
        const std::size_t got = TRY(receive(fd, replies));
        const unsigned short type = last_type(replies.data() + replies.size() - got, got);
        if (until == Until::FirstMessage || type == NLMSG_DONE || type == NLMSG_ERROR) {
            return replies;
        }
    }
    return fail(std::errc::file_too_large, "rtnetlink: more than 4 MiB of replies");
}

}  // namespace ferrule
