#include "fabric/read/pci_config.h"

#include <algorithm>

namespace ferrule {

namespace {

constexpr std::size_t kLegacySize = 256;
constexpr std::size_t kHeaderSize = 64;

// Places in the header.
constexpr std::size_t kVendor = 0x00;
constexpr std::size_t kStatus = 0x06;
constexpr std::size_t kHeaderType = 0x0e;
constexpr std::size_t kFirstCapability = 0x34;
constexpr unsigned kHasCapabilities = 1U << 4U;
constexpr unsigned kBridge = 1;

// Capabilities, and the places of their control words.
constexpr unsigned kPciExpress = 0x10;
constexpr std::size_t kDeviceControl = 0x08;
constexpr unsigned kAccessControl = 0x000d;
constexpr std::size_t kAccessControlWord = 0x06;
// P2P request redirect, completion redirect, upstream forwarding.
constexpr unsigned kRedirects = (1U << 2U) | (1U << 3U) | (1U << 4U);

std::optional<unsigned> word_in(std::span<const std::byte> bytes, std::size_t at) {
    if (at + 2 > bytes.size()) {
        return std::nullopt;
    }
    return std::to_integer<unsigned>(bytes[at]) | (std::to_integer<unsigned>(bytes[at + 1]) << 8U);
}

// Where the capability with this number is. The chain has at most as many links as there is room
// for between header and end.
std::optional<std::size_t> find_capability(const ConfigWord& word, unsigned wanted) {
    std::size_t at = word(kFirstCapability).value_or(0) & 0xfcU;
    for (std::size_t left = (kLegacySize - kHeaderSize) / 4; left > 0 && at >= kHeaderSize;
         --left) {
        // The number, and where the next one is.
        const unsigned head = word(at).value_or(0xff);
        if ((head & 0xffU) == wanted) {
            return at;
        }
        // All ones: the device does not answer.
        at = (head & 0xffU) == 0xff ? 0 : (head >> 8U) & 0xfcU;
    }
    return std::nullopt;
}

std::optional<std::size_t> find_extended_capability(const ConfigWord& word, unsigned wanted) {
    std::size_t at = kLegacySize;
    for (std::size_t left = (kPciConfigSize - kLegacySize) / 8; left > 0 && at >= kLegacySize;
         --left) {
        const unsigned number = word(at).value_or(0);
        if (number == wanted) {
            return at;
        }
        // Four bits of version are below the place of the next one.
        const unsigned next = word(at + 2).value_or(0) >> 4U;
        at = number == 0xffff ? 0 : next & 0xffcU;
    }
    return std::nullopt;
}

// The two codes above 4096 bytes are reserved.
std::optional<unsigned> size_of_code(unsigned code) {
    constexpr unsigned kLargest = 5;
    return code <= kLargest ? std::optional{128U << code} : std::nullopt;
}

}  // namespace

PciConfig walk_pci_config(const ConfigWord& word) {
    PciConfig config{};
    const unsigned status = word(kStatus).value_or(0);
    if (word(kVendor) == 0xffffU || (status & kHasCapabilities) == 0) {
        return config;
    }
    const auto express = find_capability(word, kPciExpress);
    if (!express) {
        return config;
    }
    if (const auto control = word(*express + kDeviceControl)) {
        config.max_payload = size_of_code((*control >> 5U) & 7U);
        config.max_read_request = size_of_code((*control >> 12U) & 7U);
        config.relaxed_ordering = ((*control >> 4U) & 1U) != 0;
    }
    // The upper bit says that there are further functions.
    const bool bridge = (word(kHeaderType).value_or(0) & 0x7fU) == kBridge;
    const auto access = bridge ? find_extended_capability(word, kAccessControl) : std::nullopt;
    const auto control = access ? word(*access + kAccessControlWord) : std::nullopt;
    if (control) {
        config.acs_redirects = (*control & kRedirects) != 0;
    }
    return config;
}

PciConfig decode_pci_config(std::span<const std::byte> bytes) {
    return bytes.size() < kLegacySize
               ? PciConfig{}
               : walk_pci_config([&](std::size_t at) { return word_in(bytes, at); });
}

std::vector<std::byte> plain_pci_config(std::span<const std::byte> bytes) {
    if (bytes.size() < kLegacySize) {
        return {};
    }
    // Of less nothing would be known.
    std::vector<std::byte> kept(kLegacySize);
    (void)walk_pci_config([&](std::size_t at) {
        const auto word = word_in(bytes, at);
        if (word) {
            kept.resize(std::max(kept.size(), at + 2));
            kept[at] = bytes[at];
            kept[at + 1] = bytes[at + 1];
        }
        return word;
    });
    return kept;
}

std::string pci_config_file(const PciAddress& address) {
    return "ferrule/pci-config/" + to_text(address);
}

}  // namespace ferrule
