#include "fabric/read/netlink_socket.h"

#include "fabric/base/fd.h"
#include "fabric/read/netlink_bytes.h"

#include <algorithm>
#include <cerrno>

#include <linux/netlink.h>
#include <poll.h>
#include <sys/socket.h>

namespace ferrule {

namespace {

constexpr std::size_t kMostBytes = 4U << 20U;
constexpr std::size_t kDatagram = 65536;

// The type of the last message of a datagram; a dump ends with NLMSG_DONE.
unsigned last_type(std::span<const std::byte> bytes) {
    unsigned type = 0;
    while (const auto header = header_of<nlmsghdr>(bytes)) {
        type = header->nlmsg_type;
        const std::size_t step = netlink_aligned(header->nlmsg_len);
        if (step < sizeof(nlmsghdr) || step > bytes.size()) {
            break;
        }
        bytes = bytes.subspan(step);
    }
    return type;
}

// Appends one datagram and tells its size.
Result<std::size_t> receive(const Fd& fd, Deadline deadline, std::vector<std::byte>& into) {
    pollfd waiting{fd.get(), POLLIN, 0};
    int ready = -1;
    do {
        ready = ::poll(&waiting, 1, static_cast<int>(deadline.left().count()));
    } while (ready < 0 && errno == EINTR);
    if (ready == 0) {
        return fail(std::errc::timed_out, "netlink: no answer from the kernel");
    }
    const std::size_t at = into.size();
    into.resize(at + kDatagram);
    const ssize_t got = ::recv(fd.get(), into.data() + at, kDatagram, 0);
    if (got < 0) {
        const int error_number = errno;
        into.resize(at);
        return fail_errno(error_number, "netlink: receive");
    }
    into.resize(at + static_cast<std::size_t>(got));
    return static_cast<std::size_t>(got);
}

}  // namespace

Result<std::vector<std::byte>> ask_netlink(const NetlinkQuestion& question, Deadline deadline) {
    const Fd fd{::socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC | SOCK_NONBLOCK, question.protocol)};
    if (!fd.valid()) {
        return fail_errno(errno, "netlink: socket");
    }
    sockaddr_nl kernel{};
    kernel.nl_family = AF_NETLINK;
    if (::sendto(fd.get(), question.request.data(), question.request.size(), 0,
                 reinterpret_cast<const sockaddr*>(&kernel), sizeof kernel) < 0) {
        return fail_errno(errno, "netlink: send");
    }
    std::vector<std::byte> replies;
    while (replies.size() < kMostBytes) {
        const std::size_t got = TRY(receive(fd, deadline, replies));
        const unsigned type = last_type(std::span{replies}.last(got));
        if (question.until == NetlinkUntil::FirstDatagram || type == NLMSG_DONE ||
            type == NLMSG_ERROR) {
            return replies;
        }
    }
    return fail(std::errc::file_too_large, "netlink: more than 4 MiB of replies");
}

}  // namespace ferrule
