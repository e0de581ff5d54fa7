#include "fabric/model/gid.h"

#include "fabric/base/text.h"

#include <algorithm>

namespace ferrule {

namespace {

constexpr std::size_t kTextLength = 39;
constexpr std::string_view kHex = "0123456789abcdef";

constexpr int hex_digit(char c) {
    if (c >= '0' && c <= '9') {
        return c - '0';
    }
    if (c >= 'a' && c <= 'f') {
        return c - 'a' + 10;
    }
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

}  // namespace

std::optional<IpAddress> Gid::ipv4_mapped() const {
    const bool zeros =
        std::all_of(bytes.begin(), bytes.begin() + 10, [](auto b) { return b == 0; });
    if (!zeros || bytes[10] != 0xff || bytes[11] != 0xff) {
        return std::nullopt;
    }
    IpAddress address{};
    std::copy(bytes.begin() + 12, bytes.end(), address.bytes.begin());
    return address;
}

IpAddress Gid::address() const {
    return ipv4_mapped().value_or(IpAddress{IpFamily::V6, bytes});
}

bool Gid::is_link_local() const {
    return address().is_link_local();
}

bool is_routable(const GidEntry& entry) {
    return !entry.gid.is_zero() && !entry.gid.is_link_local();
}

bool fits(const GidEntry& entry, const GidWish& wish) {
    const IpAddress address = entry.gid.address();
    return is_routable(entry) && entry.type == wish.type && address.family == wish.family &&
           (!wish.subnet || wish.subnet->contains(address));
}

// Written by hand since a full node read parses thousands of these lines.
std::optional<Gid> parse_gid(std::string_view text) {
    if (text.size() != kTextLength) {
        return std::nullopt;
    }
    Gid gid{};
    std::size_t at = 0;
    for (std::size_t byte = 0; byte < gid.bytes.size(); ++byte) {
        if (byte != 0 && byte % 2 == 0 && text[at++] != ':') {
            return std::nullopt;
        }
        const int high = hex_digit(text[at]);
        const int low = hex_digit(text[at + 1]);
        if (high < 0 || low < 0) {
            return std::nullopt;
        }
        gid.bytes[byte] = static_cast<std::uint8_t>((high * 16) + low);
        at += 2;
    }
    return gid;
}

std::string to_text(const Gid& gid) {
    std::string text;
    text.reserve(kTextLength);
    for (std::size_t i = 0; i < gid.bytes.size(); ++i) {
        if (i != 0 && i % 2 == 0) {
            text += ':';
        }
        text += kHex[gid.bytes[i] >> 4U];
        text += kHex[gid.bytes[i] & 0xfU];
    }
    return text;
}

std::optional<GidType> parse_gid_type(std::string_view text, bool infiniband) {
    if (text == "RoCE v2") {
        return GidType::RoceV2;
    }
    if (text == "IB/RoCE v1" || text == "RoCE v1") {
        return infiniband ? GidType::Ib : GidType::RoceV1;
    }
    return std::nullopt;
}

std::string_view to_text(GidType type) {
    switch (type) {
        case GidType::Ib:
            return "IB";
        case GidType::RoceV1:
            return "RoCE v1";
        case GidType::RoceV2:
            return "RoCE v2";
    }
    return "unknown";
}

}  // namespace ferrule
