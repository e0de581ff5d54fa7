#include "fabric/read/lldp_text.h"

#include "fabric/base/text.h"
#include "fabric/model/ip.h"

#include <cstring>
#include <string_view>

namespace ferrule {

namespace {

using Bytes = std::span<const std::byte>;

constexpr std::size_t kMacSize = 6;

std::string mac_text(Bytes mac) {
    constexpr std::string_view kDigits = "0123456789abcdef";
    std::string text;
    for (const std::byte byte : mac) {
        const auto value = std::to_integer<unsigned>(byte);
        text += text.empty() ? "" : ":";
        text += kDigits[value >> 4U];
        text += kDigits[value & 0xfU];
    }
    return text;
}

// Behind its family in IANA's numbers: 1 is IPv4, 2 is IPv6.
std::string network_text(Bytes id) {
    const auto family = std::to_integer<unsigned>(id.front());
    IpAddress address{family == 1 ? IpFamily::V4 : IpFamily::V6, {}};
    const Bytes raw = id.subspan(1);
    if ((family != 1 && family != 2) || raw.size() != address.bits() / 8) {
        return lldp_text(id);
    }
    std::memcpy(address.bytes.data(), raw.data(), raw.size());
    return to_text(address);
}

struct Subtypes {
    unsigned mac{0};
    unsigned network{0};
};

std::string id_text(Bytes id, unsigned subtype, const Subtypes& subtypes) {
    if (subtype == subtypes.mac && id.size() == kMacSize) {
        return mac_text(id);
    }
    return subtype == subtypes.network && !id.empty() ? network_text(id) : lldp_text(id);
}

}  // namespace

std::string chassis_id_text(unsigned subtype, Bytes id) {
    return id_text(id, subtype, {4, 5});
}

std::string port_id_text(unsigned subtype, Bytes id) {
    return id_text(id, subtype, {3, 4});
}

std::string lldp_text(Bytes value) {
    // A TLV has 511 bytes, each of which may take four letters.
    constexpr std::size_t kLongest = 2048;
    const std::string_view text{reinterpret_cast<const char*>(value.data()), value.size()};
    return printable(text.substr(0, text.find_last_not_of('\0') + 1), kLongest);
}

}  // namespace ferrule
