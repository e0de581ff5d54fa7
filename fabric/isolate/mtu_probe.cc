#include "fabric/isolate/mtu_probe.h"

#include "fabric/base/fd.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

#include <netinet/icmp6.h>
#include <netinet/in.h>
#include <netinet/ip_icmp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

namespace ferrule {

namespace {

constexpr unsigned kHeaderV4 = 20;
constexpr unsigned kHeaderV6 = 40;
constexpr unsigned kEchoHeader = 8;
// Of the IP packet; any way takes this.
constexpr unsigned kSmall = 100;

enum class Size : std::uint16_t { Small = 1, Whole = 2 };

// RFC 1071.
std::uint16_t check_sum(const std::vector<unsigned char>& bytes) {
    std::uint32_t sum = 0;
    for (std::size_t i = 0; i < bytes.size(); i += 2) {
        const unsigned low = i + 1 < bytes.size() ? bytes[i + 1] : 0U;
        sum += (static_cast<unsigned>(bytes[i]) << 8U) | low;
    }
    while (sum >> 16U != 0) {
        sum = (sum & 0xffffU) + (sum >> 16U);
    }
    return static_cast<std::uint16_t>(~sum);
}

// Type, code, check sum, identifier, sequence number, and zeros.
std::vector<unsigned char> echo_request(const MtuProbe& probe, std::uint16_t id, Size size) {
    const bool v4 = probe.peer.family == IpFamily::V4;
    const unsigned whole = size == Size::Whole ? probe.size : std::min(kSmall, probe.size);
    const unsigned header = v4 ? kHeaderV4 : kHeaderV6;
    std::vector<unsigned char> packet(std::max(whole, header + kEchoHeader) - header, 0);
    packet[0] = v4 ? ICMP_ECHO : ICMP6_ECHO_REQUEST;
    packet[4] = static_cast<unsigned char>(id >> 8U);
    packet[5] = static_cast<unsigned char>(id & 0xffU);
    packet[7] = static_cast<unsigned char>(size);
    if (v4) {
        // The kernel fills in that of version 6.
        const std::uint16_t sum = check_sum(packet);
        packet[2] = static_cast<unsigned char>(sum >> 8U);
        packet[3] = static_cast<unsigned char>(sum & 0xffU);
    }
    return packet;
}

int send_one(int fd, const MtuProbe& probe, const std::vector<unsigned char>& packet) {
    ssize_t sent = -1;
    if (probe.peer.family == IpFamily::V4) {
        sockaddr_in to{};
        to.sin_family = AF_INET;
        std::memcpy(&to.sin_addr, probe.peer.bytes.data(), sizeof to.sin_addr);
        sent = ::sendto(fd, packet.data(), packet.size(), 0, reinterpret_cast<const sockaddr*>(&to),
                        sizeof to);
    } else {
        sockaddr_in6 to{};
        to.sin6_family = AF_INET6;
        std::memcpy(&to.sin6_addr, probe.peer.bytes.data(), sizeof to.sin6_addr);
        sent = ::sendto(fd, packet.data(), packet.size(), 0, reinterpret_cast<const sockaddr*>(&to),
                        sizeof to);
    }
    return sent < 0 ? errno : 0;
}

// A raw socket bound to the interface, which sets "don't fragment" and ignores what the kernel
// learnt of the way before.
Fd open_socket(const MtuProbe& probe) {
    const bool v4 = probe.peer.family == IpFamily::V4;
    Fd fd{::socket(v4 ? AF_INET : AF_INET6, SOCK_RAW | SOCK_CLOEXEC | SOCK_NONBLOCK,
                   v4 ? static_cast<int>(IPPROTO_ICMP) : static_cast<int>(IPPROTO_ICMPV6))};
    const int level = v4 ? IPPROTO_IP : IPPROTO_IPV6;
    const int option = v4 ? IP_MTU_DISCOVER : IPV6_MTU_DISCOVER;
    // Of both versions.
    static_assert(IP_PMTUDISC_PROBE == IPV6_PMTUDISC_PROBE);
    const int probing = IP_PMTUDISC_PROBE;
    const bool set = fd.valid() &&
                     ::setsockopt(fd.get(), level, option, &probing, sizeof probing) == 0 &&
                     ::setsockopt(fd.get(), SOL_SOCKET, SO_BINDTODEVICE, probe.netdev.c_str(),
                                  static_cast<socklen_t>(probe.netdev.size())) == 0;
    if (!set) {
        const int error_number = errno;
        fd = Fd{};
        errno = error_number;
    }
    return fd;
}

// Takes one packet; an answer to ours marks the probe.
void take_answer(int fd, std::uint16_t id, MtuProbe& probe) {
    std::array<unsigned char, 65536> buffer;  // NOLINT(*-member-init): filled by recv
    const ssize_t got = ::recv(fd, buffer.data(), buffer.size(), 0);
    const bool v4 = probe.peer.family == IpFamily::V4;
    // Version 4 comes with its header, the length of which is in the first byte.
    const std::size_t header = v4 && got > 0 ? (buffer[0] & 0xfU) * 4U : 0U;
    if (got < 0 || static_cast<std::size_t>(got) < header + kEchoHeader) {
        return;
    }
    const unsigned char* const icmp = buffer.data() + header;
    const unsigned reply = v4 ? ICMP_ECHOREPLY : ICMP6_ECHO_REPLY;
    const unsigned answered = (static_cast<unsigned>(icmp[4]) << 8U) | icmp[5];
    if (icmp[0] != reply || answered != id) {
        return;
    }
    probe.small_answered |= icmp[7] == static_cast<unsigned char>(Size::Small);
    probe.answered |= icmp[7] == static_cast<unsigned char>(Size::Whole);
}

bool is_done(const MtuProbe& probe) {
    return probe.answered || probe.error_number != 0;
}

void wait_for_answers(const std::vector<Fd>& sockets, std::uint16_t first_id,
                      std::vector<MtuProbe>& probes, const Deadline& deadline) {
    while (deadline.left().count() > 0) {
        std::vector<pollfd> waiting;
        waiting.reserve(sockets.size());
        for (std::size_t i = 0; i < sockets.size(); ++i) {
            // A negative descriptor is passed over.
            waiting.push_back({is_done(probes[i]) ? -1 : sockets[i].get(), POLLIN, 0});
        }
        if (std::ranges::all_of(probes, is_done)) {
            return;
        }
        if (::poll(waiting.data(), waiting.size(), static_cast<int>(deadline.left().count())) <=
            0) {
            continue;
        }
        for (std::size_t i = 0; i < waiting.size(); ++i) {
            if ((waiting[i].revents & POLLIN) != 0) {
                take_answer(sockets[i].get(), static_cast<std::uint16_t>(first_id + i), probes[i]);
            }
        }
    }
}

// What was not answered yet is sent once more.
void send_round(const std::vector<Fd>& sockets, std::uint16_t first_id,
                std::vector<MtuProbe>& probes) {
    for (std::size_t i = 0; i < probes.size(); ++i) {
        MtuProbe& probe = probes[i];
        if (is_done(probe)) {
            continue;
        }
        const auto id = static_cast<std::uint16_t>(first_id + i);
        const int fd = sockets[i].get();
        static_cast<void>(send_one(fd, probe, echo_request(probe, id, Size::Small)));
        probe.error_number = send_one(fd, probe, echo_request(probe, id, Size::Whole));
    }
}

}  // namespace

void send_mtu_probes(std::vector<MtuProbe>& probes, const Deadline& deadline) {
    const auto first_id = static_cast<std::uint16_t>(::getpid());
    std::vector<Fd> sockets;
    sockets.reserve(probes.size());
    for (MtuProbe& probe : probes) {
        sockets.push_back(open_socket(probe));
        probe.error_number = sockets.back().valid() ? 0 : errno;
    }
    // One packet may be lost by chance.
    constexpr int kRounds = 3;
    for (int left = kRounds; left > 0 && !std::ranges::all_of(probes, is_done); --left) {
        send_round(sockets, first_id, probes);
        wait_for_answers(sockets, first_id, probes, Deadline{deadline.left() / left});
    }
}

}  // namespace ferrule
