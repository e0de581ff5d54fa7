#include "fabric/archive/scrub.h"

#include "fabric/base/text.h"

#include <algorithm>
#include <iterator>
#include <vector>

namespace ferrule {

namespace {

constexpr unsigned kByte = 8;
// Purposes of the mixing, so that equal numbers of another kind come out otherwise.
constexpr std::uint64_t kBits = 1;
constexpr std::uint64_t kGuid = 2;
constexpr std::uint64_t kMac = 3;
constexpr std::uint64_t kGpu = 4;

bool is_word_character(char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == ':' ||
           c == '.' || c == '-' || c == '_';
}

bool lies_in(const char* range, const IpAddress& address) {
    const auto prefix = parse_prefix(range);
    return prefix && prefix->contains(address);
}

// How many leading bits say what kind of address it is.
unsigned kept_bits(const IpAddress& address) {
    struct Range {
        const char* prefix;
        unsigned kept;
    };

    constexpr std::array<Range, 7> kRanges{{{"127.0.0.0/8", 32},
                                            {"169.254.0.0/16", 16},
                                            {"172.16.0.0/12", 12},
                                            {"192.168.0.0/16", 16},
                                            {"224.0.0.0/4", 32},
                                            {"fe80::/10", 64},
                                            {"::/64", 128}}};
    for (const Range& range : kRanges) {
        if (lies_in(range.prefix, address)) {
            return range.kept;
        }
    }
    return kByte;
}

std::uint64_t number_of(std::span<const std::uint8_t> bytes) {
    std::uint64_t number = 0;
    for (const std::uint8_t byte : bytes) {
        number = number << kByte | byte;
    }
    return number;
}

void put_number(std::uint64_t number, std::span<std::uint8_t> bytes) {
    for (std::size_t i = bytes.size(); i-- > 0; number >>= kByte) {
        bytes[i] = static_cast<std::uint8_t>(number & 0xffU);
    }
}

// "0c:42:a1" or "0c42:a103"; empty for anything else.
std::vector<std::uint8_t> bytes_of_groups(std::string_view word, std::size_t digits) {
    std::vector<std::uint8_t> bytes;
    for (const std::string_view group : split(word, ':')) {
        if (group.size() != digits) {
            return {};
        }
        for (std::size_t at = 0; at < digits; at += 2) {
            const auto byte = parse_number<std::uint8_t>(group.substr(at, 2), 16);
            if (!byte) {
                return {};
            }
            bytes.push_back(*byte);
        }
    }
    return bytes;
}

std::string groups_of(std::span<const std::uint8_t> bytes, std::size_t bytes_a_group) {
    constexpr std::string_view kDigits = "0123456789abcdef";
    std::string text;
    for (std::size_t i = 0; i < bytes.size(); ++i) {
        text += i > 0 && i % bytes_a_group == 0 ? ":" : "";
        text += kDigits[bytes[i] >> 4U];
        text += kDigits[bytes[i] & 0xfU];
    }
    return text;
}

}  // namespace

// The finalizer of splitmix64 over both numbers.
std::uint64_t Scrubber::mixed(std::uint64_t value, std::uint64_t kind) const {
    std::uint64_t x = value + (salt_ ^ (kind * 0x9e3779b97f4a7c15ULL));
    x = (x ^ (x >> 30U)) * 0xbf58476d1ce4e5b9ULL;
    x = (x ^ (x >> 27U)) * 0x94d049bb133111ebULL;
    return x ^ (x >> 31U);
}

// Each bit is flipped or not by what stands before it.
IpAddress Scrubber::flipped(IpAddress address, unsigned from, unsigned to) const {
    IpAddress result = address;
    std::uint64_t before = salt_;
    for (unsigned bit = 0; bit < to; ++bit) {
        const auto mask = static_cast<std::uint8_t>(0x80U >> (bit % kByte));
        const bool set = (address.bytes.at(bit / kByte) & mask) != 0;
        if (bit >= from && (mixed(before, kBits) & 1U) != 0) {
            result.bytes.at(bit / kByte) ^= mask;
        }
        before = mixed((before * 2) + (set ? 1U : 0U), kBits);
    }
    return result;
}

// The last 24 bits of a MAC address; the lowest four stay, so that neighbours stay neighbours.
void Scrubber::card(std::span<std::uint8_t> mac) const {
    const auto own = mac.last(3);
    const std::uint64_t number = number_of(own);
    put_number((mixed(number >> 4U, kMac) << 4U | (number & 0xfU)) & 0xffffffU, own);
}

// An interface identifier: one made of a MAC address changes as that does.
void Scrubber::identify(std::span<std::uint8_t, 8> guid) const {
    if (guid[3] == 0xff && guid[4] == 0xfe) {
        card(guid);
        return;
    }
    const auto own = guid.last(5);
    const std::uint64_t number = number_of(own);
    put_number((mixed(number >> 4U, kGuid) << 4U | (number & 0xfU)) & 0xffffffffffULL, own);
}

IpAddress Scrubber::address(IpAddress address) const {
    constexpr std::size_t kV4At = 12;
    if (lies_in("::ffff:0.0.0.0/96", address)) {
        IpAddress inner{IpFamily::V4, {}};
        std::copy(address.bytes.begin() + kV4At, address.bytes.end(), inner.bytes.begin());
        inner = this->address(inner);
        std::copy(inner.bytes.begin(), inner.bytes.begin() + 4, address.bytes.begin() + kV4At);
        return address;
    }
    const unsigned kept = kept_bits(address);
    if (address.family == IpFamily::V4) {
        return flipped(address, kept, address.bits());
    }
    constexpr unsigned kNetwork = 64;
    const bool network_only = number_of(std::span{address.bytes}.last(8)) == 0;
    IpAddress result = flipped(address, kept, kNetwork);
    if (kept <= kNetwork && !network_only) {
        identify(std::span{result.bytes}.last<8>());
    }
    return result;
}

Gid Scrubber::gid(Gid gid) const {
    if (gid.is_zero()) {
        return gid;
    }
    const IpAddress scrubbed = address(gid.address());
    if (scrubbed.family == IpFamily::V4) {
        std::ranges::copy(std::span{scrubbed.bytes}.first(4), gid.bytes.end() - 4);
    } else {
        gid.bytes = scrubbed.bytes;
    }
    return gid;
}

std::optional<std::string> Scrubber::hex_groups(std::string_view word) const {
    constexpr std::size_t kGid = 16;
    constexpr std::size_t kGuidSize = 8;
    constexpr std::size_t kMacSize = 6;
    constexpr std::size_t kIpoibSize = 20;
    std::vector<std::uint8_t> bytes = bytes_of_groups(word, 4);
    const bool wide = !bytes.empty();
    bytes = wide ? bytes : bytes_of_groups(word, 2);
    if (wide && bytes.size() == kGid) {
        Gid whole{};
        std::ranges::copy(bytes, whole.bytes.begin());
        return groups_of(gid(whole).bytes, 2);
    }
    if (number_of(bytes) == 0) {
        return std::nullopt;
    }
    if (wide && bytes.size() == kGuidSize) {
        identify(std::span{bytes}.first<kGuidSize>());
        return groups_of(bytes, 2);
    }
    if (!wide && bytes.size() == kMacSize) {
        card(bytes);
        return groups_of(bytes, 1);
    }
    if (!wide && bytes.size() == kIpoibSize) {
        // Flags and queue pair number, then the port's GID.
        identify(std::span{bytes}.last<kGuidSize>());
        return groups_of(bytes, 1);
    }
    return std::nullopt;
}

std::string Scrubber::gpu(std::string_view word) const {
    constexpr std::string_view kDigits = "0123456789abcdef";
    std::uint64_t state = salt_;
    for (const char c : word) {
        state = mixed(state + static_cast<unsigned char>(c), kGpu);
    }
    std::string text{word};
    for (char& c : text) {
        const bool digit = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
        state = mixed(state, kGpu);
        c = digit ? kDigits[state & 0xfU] : c;
    }
    return text;
}

// The name, its first label, and what is made of one of them: "gpu07-hca", "gpu07.cluster.example".
bool Scrubber::is_of_host(std::string_view word) const {
    const std::string_view label = std::string_view{hostname_}.substr(0, hostname_.find('.'));
    if (label.empty() || !word.starts_with(label)) {
        return false;
    }
    const std::string_view rest = word.substr(label.size());
    return rest.empty() || rest.front() == '.' || rest.front() == '-' || rest.front() == '_' ||
           rest.front() == ':';
}

std::string Scrubber::word(std::string_view word) const {
    constexpr std::size_t kGpuUuid = 40;
    if (is_of_host(word)) {
        return "node";
    }
    if (word.starts_with("GPU-") && word.size() == kGpuUuid) {
        return gpu(word);
    }
    if (const auto groups = hex_groups(word)) {
        return *groups;
    }
    if (const auto ip = parse_ip(word)) {
        return to_text(address(*ip));
    }
    // An address with a port.
    const std::size_t colon = word.rfind(':');
    const auto with_port =
        colon == std::string_view::npos ? std::nullopt : parse_ip(word.substr(0, colon));
    return with_port ? to_text(address(*with_port)) + std::string{word.substr(colon)}
                     : std::string{word};
}

std::string Scrubber::text(std::string_view text) const {
    std::string result;
    while (!text.empty()) {
        const auto length = static_cast<std::size_t>(
            std::ranges::find_if_not(text, is_word_character) - text.begin());
        if (length == 0) {
            result += text.front();
            text.remove_prefix(1);
            continue;
        }
        const std::string_view found = text.substr(0, length);
        text.remove_prefix(length);
        const std::size_t digits =
            text.starts_with('/') ? text.substr(1).find_first_not_of("0123456789") : 0;
        const std::string_view suffix =
            text.substr(0, digits == std::string_view::npos ? text.size() : digits + 1);
        const auto network =
            digits != 0 ? parse_prefix(std::string{found} + std::string{suffix}) : std::nullopt;
        const auto ip = parse_ip(found);
        if (network && ip && network->address == *ip) {
            result += to_text(prefix_of(address(*ip), network->length).address);
        } else {
            result += word(found);
        }
    }
    return result;
}

}  // namespace ferrule
