#include "fabric/model/ip.h"

#include "fabric/base/text.h"

#include <algorithm>
#include <bit>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>

namespace ferrule {

namespace {

int af_of(IpFamily family) {
    return family == IpFamily::V4 ? AF_INET : AF_INET6;
}

}  // namespace

bool IpAddress::is_link_local() const {
    if (family == IpFamily::V4) {
        return bytes[0] == 169 && bytes[1] == 254;
    }
    return bytes[0] == 0xfe && (bytes[1] & 0xc0U) == 0x80;
}

bool IpAddress::is_loopback() const {
    if (family == IpFamily::V4) {
        return bytes[0] == 127;
    }
    return std::all_of(bytes.begin(), bytes.end() - 1, [](auto byte) { return byte == 0; }) &&
           bytes.back() == 1;
}

bool IpPrefix::contains(const IpAddress& candidate) const {
    return candidate.family == address.family && common_bits(address, candidate) >= length;
}

std::optional<IpAddress> parse_ip(std::string_view text) {
    const std::string copy{text};
    IpAddress address{};
    address.family = text.find(':') == std::string_view::npos ? IpFamily::V4 : IpFamily::V6;
    if (inet_pton(af_of(address.family), copy.c_str(), address.bytes.data()) != 1) {
        return std::nullopt;
    }
    return address;
}

std::optional<IpPrefix> parse_prefix(std::string_view text) {
    const std::size_t slash = text.find('/');
    if (slash == std::string_view::npos) {
        return std::nullopt;
    }
    const auto address = parse_ip(text.substr(0, slash));
    const auto length = parse_number<unsigned>(text.substr(slash + 1));
    if (!address || !length || *length > address->bits()) {
        return std::nullopt;
    }
    return prefix_of(*address, *length);
}

IpPrefix prefix_of(const IpAddress& address, unsigned length) {
    IpPrefix prefix{address, std::min(length, address.bits())};
    for (unsigned bit = prefix.length; bit < address.bits(); ++bit) {
        prefix.address.bytes[bit / 8] &= static_cast<std::uint8_t>(~(0x80U >> (bit % 8)));
    }
    return prefix;
}

unsigned common_bits(const IpAddress& left, const IpAddress& right) {
    if (left.family != right.family) {
        return 0;
    }
    for (unsigned byte = 0; byte < left.bits() / 8; ++byte) {
        const auto differing = static_cast<std::uint8_t>(left.bytes[byte] ^ right.bytes[byte]);
        if (differing != 0) {
            return (byte * 8) + static_cast<unsigned>(std::countl_zero(differing));
        }
    }
    return left.bits();
}

std::string to_text(const IpAddress& address) {
    std::array<char, INET6_ADDRSTRLEN> buffer{};
    inet_ntop(af_of(address.family), address.bytes.data(), buffer.data(), buffer.size());
    return buffer.data();
}

std::string to_text(const IpPrefix& prefix) {
    return to_text(prefix.address) + "/" + std::to_string(prefix.length);
}

}  // namespace ferrule
