#include "fabric/read/lldp_socket.h"

#include "fabric/base/fd.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <optional>

#include <arpa/inet.h>
#include <linux/if_ether.h>
#include <linux/if_packet.h>
#include <net/if.h>
#include <poll.h>
#include <sys/socket.h>

namespace ferrule {

namespace {

// More than the largest frame that an adapter takes.
constexpr std::size_t kFrameSize = 16384;

// Nearest bridge, nearest bridge that is no two-port relay, nearest customer bridge.
constexpr std::array<unsigned char, 3> kGroups{0x0e, 0x03, 0x00};

struct Ear {
    std::string netdev{};
    Fd fd{};
    std::vector<std::byte> frame{};
};

Result<void> join(const Fd& fd, int ifindex) {
    for (const unsigned char last : kGroups) {
        packet_mreq group{};
        group.mr_ifindex = ifindex;
        group.mr_type = PACKET_MR_MULTICAST;
        group.mr_alen = ETH_ALEN;
        const std::array<unsigned char, ETH_ALEN> address{0x01, 0x80, 0xc2, 0x00, 0x00, last};
        std::ranges::copy(address, std::begin(group.mr_address));
        if (::setsockopt(fd.get(), SOL_PACKET, PACKET_ADD_MEMBERSHIP, &group, sizeof group) != 0) {
            return fail_errno(errno, "lldp: group address");
        }
    }
    return {};
}

// A socket of the interface alone: one for all would not hear the idle member of a bond.
Result<Fd> open_at(int ifindex) {
    Fd fd{::socket(AF_PACKET, SOCK_RAW | SOCK_CLOEXEC | SOCK_NONBLOCK, 0)};
    if (!fd.valid()) {
        return fail_errno(errno, "lldp: socket");
    }
    sockaddr_ll place{};
    place.sll_family = AF_PACKET;
    place.sll_protocol = htons(ETH_P_LLDP);
    place.sll_ifindex = ifindex;
    if (::bind(fd.get(), reinterpret_cast<const sockaddr*>(&place), sizeof place) != 0) {
        return fail_errno(errno, "lldp: bind");
    }
    return join(fd, ifindex).map([&] { return std::move(fd); });
}

Result<std::vector<Ear>> open_all(const std::vector<std::string>& netdevs) {
    std::vector<Ear> ears;
    ears.reserve(netdevs.size());
    for (const std::string& netdev : netdevs) {
        const auto ifindex = static_cast<int>(::if_nametoindex(netdev.c_str()));
        if (ifindex == 0) {
            continue;
        }
        auto fd = open_at(ifindex);
        if (fd) {
            ears.push_back({netdev, std::move(*fd), {}});
        } else if (fd.error().code != std::errc::no_such_device) {
            return tl::unexpected{fd.error()};
        }
    }
    return ears;
}

// Takes the next frame off the socket; an own one, and one too long to be whole, leaves none.
void hear(Ear& ear) {
    std::vector<std::byte> frame(kFrameSize);
    sockaddr_ll from{};
    socklen_t size = sizeof from;
    const ssize_t got = ::recvfrom(ear.fd.get(), frame.data(), frame.size(), MSG_TRUNC,
                                   reinterpret_cast<sockaddr*>(&from), &size);
    if (got > 0 && static_cast<std::size_t>(got) <= frame.size() &&
        from.sll_pkttype != PACKET_OUTGOING) {
        frame.resize(static_cast<std::size_t>(got));
        ear.frame = std::move(frame);
    }
}

// Lets those who still wait for a frame hear. False at the deadline.
Result<bool> hear_once(std::vector<Ear>& ears, Deadline deadline) {
    std::vector<pollfd> waiting;
    waiting.reserve(ears.size());
    for (const Ear& ear : ears) {
        // poll() passes over a negative descriptor.
        waiting.push_back({ear.frame.empty() ? ear.fd.get() : -1, POLLIN, 0});
    }
    const auto left = deadline.left().count();
    const int ready = ::poll(waiting.data(), waiting.size(), static_cast<int>(left));
    if (ready < 0 && errno != EINTR) {
        return fail_errno(errno, "lldp: poll");
    }
    for (std::size_t i = 0; ready > 0 && i < ears.size(); ++i) {
        // An interface that goes down, or away, tells it as an error, once, and is read off it too.
        if (waiting[i].revents != 0) {
            hear(ears[i]);
        }
    }
    return left > 0;
}

}  // namespace

Result<std::map<std::string, std::vector<std::byte>>> listen_for_lldp(
    const std::vector<std::string>& netdevs, Deadline deadline) {
    auto ears = TRY(open_all(netdevs));
    const auto waits = [](const Ear& ear) { return ear.frame.empty(); };
    while (std::ranges::any_of(ears, waits) && TRY(hear_once(ears, deadline))) {
    }
    std::map<std::string, std::vector<std::byte>> frames;
    for (Ear& ear : ears) {
        if (!waits(ear)) {
            frames[ear.netdev] = std::move(ear.frame);
        }
    }
    return frames;
}

}  // namespace ferrule
