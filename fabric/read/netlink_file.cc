#include "fabric/read/netlink_file.h"

#include "fabric/base/text.h"
#include "fabric/read/netlink_bytes.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <optional>

#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <sys/socket.h>

namespace ferrule {

namespace {

constexpr std::size_t kBytesALine = 32;

// What the head of a message says about the addresses behind it.
struct Head {
    std::size_t size{0};
    unsigned char family{0};
    // Of a route's destination.
    unsigned char destination_length{0};
    std::array<unsigned, 4> types{};
    unsigned message{0};
};

std::optional<Head> head_of(unsigned type, std::span<const std::byte> body) {
    if (type == RTM_NEWADDR) {
        const auto head = header_of<ifaddrmsg>(body);
        return head ? std::optional{Head{netlink_aligned(sizeof(ifaddrmsg)),
                                         head->ifa_family,
                                         0,
                                         {IFA_ADDRESS, IFA_LOCAL, IFA_BROADCAST, IFA_ANYCAST},
                                         type}}
                    : std::nullopt;
    }
    const auto head = type == RTM_NEWROUTE ? header_of<rtmsg>(body) : std::nullopt;
    return head ? std::optional{Head{netlink_aligned(sizeof(rtmsg)),
                                     head->rtm_family,
                                     head->rtm_dst_len,
                                     {RTA_DST, RTA_GATEWAY, RTA_PREFSRC, RTA_SRC},
                                     type}}
                : std::nullopt;
}

void rewrite_one(std::span<std::byte> value, const Head& head, bool network,
                 const Rewrite& rewrite) {
    IpAddress address{head.family == AF_INET ? IpFamily::V4 : IpFamily::V6, {}};
    if (value.size() != address.bits() / 8) {
        return;
    }
    std::memcpy(address.bytes.data(), value.data(), value.size());
    address = rewrite(address);
    if (network && head.destination_length <= address.bits()) {
        address = prefix_of(address, head.destination_length).address;
    }
    std::memcpy(value.data(), address.bytes.data(), value.size());
}

void rewrite_via(std::span<std::byte> value, const Rewrite& rewrite) {
    // The family, and the address behind it.
    const auto family = header_of<__kernel_sa_family_t>(value);
    if (family == AF_INET || family == AF_INET6) {
        const Head head{0, static_cast<unsigned char>(*family), 0, {}, 0};
        rewrite_one(value.subspan(sizeof *family), head, false, rewrite);
    }
}

Result<void> rewrite_attributes(std::span<std::byte> rest, const Head& head,
                                const Rewrite& rewrite);

// Next hops of a route with several, each with attributes of its own.
Result<void> rewrite_hops(std::span<std::byte> hops, const Head& head, const Rewrite& rewrite) {
    while (!hops.empty()) {
        const auto hop = header_of<rtnexthop>(hops);
        if (!hop || hop->rtnh_len < sizeof(rtnexthop) || hop->rtnh_len > hops.size()) {
            return cut_short();
        }
        auto done = rewrite_attributes(
            hops.subspan(sizeof(rtnexthop), hop->rtnh_len - sizeof(rtnexthop)), head, rewrite);
        if (!done) {
            return done;
        }
        hops = hops.subspan(std::min(netlink_aligned(hop->rtnh_len), hops.size()));
    }
    return {};
}

Result<void> rewrite_attribute(unsigned type, std::span<std::byte> value, const Head& head,
                               const Rewrite& rewrite) {
    const bool route = head.message == RTM_NEWROUTE;
    if (std::ranges::count(head.types, type) > 0) {
        rewrite_one(value, head, route && type == RTA_DST, rewrite);
    } else if (route && type == RTA_VIA) {
        rewrite_via(value, rewrite);
    } else if (route && type == RTA_MULTIPATH) {
        return rewrite_hops(value, head, rewrite);
    }
    return {};
}

Result<void> rewrite_attributes(std::span<std::byte> rest, const Head& head,
                                const Rewrite& rewrite) {
    while (!rest.empty()) {
        const auto attribute = header_of<rtattr>(rest);
        if (!attribute || attribute->rta_len < sizeof(rtattr) || attribute->rta_len > rest.size()) {
            return cut_short();
        }
        auto done = rewrite_attribute(
            attribute->rta_type & kAttributeTypeMask,
            rest.subspan(sizeof(rtattr), attribute->rta_len - sizeof(rtattr)), head, rewrite);
        if (!done) {
            return done;
        }
        rest = rest.subspan(std::min(netlink_aligned(attribute->rta_len), rest.size()));
    }
    return {};
}

Result<void> rewrite_message(unsigned type, std::span<std::byte> body, const Rewrite& rewrite) {
    const auto head = head_of(type, body);
    return head
               ? rewrite_attributes(body.subspan(std::min(head->size, body.size())), *head, rewrite)
               : Result<void>{};
}

}  // namespace

std::string hex_lines(std::span<const std::byte> bytes) {
    constexpr std::string_view kDigits = "0123456789abcdef";
    std::string text;
    for (std::size_t i = 0; i < bytes.size(); ++i) {
        const auto value = std::to_integer<unsigned>(bytes[i]);
        text += kDigits[value >> 4U];
        text += kDigits[value & 0xfU];
        text += (i + 1) % kBytesALine == 0 || i + 1 == bytes.size() ? "\n" : "";
    }
    return text;
}

Result<std::vector<std::byte>> parse_hex_lines(std::string_view text) {
    std::vector<std::byte> bytes;
    for (const std::string_view raw : split(text, '\n')) {
        const std::string_view line = trimmed(raw);
        for (std::size_t i = 0; i < line.size(); i += 2) {
            const auto value = parse_number<unsigned char>(line.substr(i, 2), 16);
            if (!value || i + 1 == line.size()) {
                return fail(std::errc::bad_message, "not pairs of hexadecimal digits");
            }
            bytes.push_back(static_cast<std::byte>(*value));
        }
    }
    return bytes;
}

Result<void> rewrite_addresses(std::span<std::byte> messages, const Rewrite& rewrite) {
    while (!messages.empty()) {
        const auto header = header_of<nlmsghdr>(messages);
        if (!header || header->nlmsg_len < sizeof(nlmsghdr) ||
            header->nlmsg_len > messages.size()) {
            return cut_short();
        }
        auto done = rewrite_message(
            header->nlmsg_type,
            messages.subspan(sizeof(nlmsghdr), header->nlmsg_len - sizeof(nlmsghdr)), rewrite);
        if (!done) {
            return done;
        }
        messages = messages.subspan(std::min(netlink_aligned(header->nlmsg_len), messages.size()));
    }
    return {};
}

}  // namespace ferrule
