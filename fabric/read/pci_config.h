// PCI configuration space: the settings of a function that cost bandwidth. Pure.
// Source: PCI Express Base Specification 5.0, 7.5.1 (header), 7.5.3.4 (device control), 7.7.8
// (access control services).
#pragma once

#include "fabric/model/pci.h"

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace ferrule {

// Of a PCI Express function; 256 where it has no extended capabilities, and 64 is all that a reader
// without CAP_SYS_ADMIN gets.
inline constexpr std::size_t kPciConfigSize = 4096;

struct PciConfig {
    // Bytes: 128 to 4096.
    std::optional<unsigned> max_read_request{};
    std::optional<unsigned> max_payload{};
    std::optional<bool> relaxed_ordering{};
    // Bridges with access control services only: redirection of requests or of completions, or
    // forwarding upstream, is on.
    std::optional<bool> acs_redirects{};

    bool operator==(const PciConfig&) const = default;
};

// The little endian word at a place, or nothing where it cannot be read whole.
using ConfigWord = std::function<std::optional<unsigned>(std::size_t at)>;

// Asks for few words, since a device takes about a microsecond for each. Chains that are circular
// or lead nowhere end there.
[[nodiscard]] PciConfig walk_pci_config(const ConfigWord& word);

// Nothing is known of fewer than 256 bytes. Chains that are circular, cut or lead nowhere end
// there.
[[nodiscard]] PciConfig decode_pci_config(std::span<const std::byte> bytes);

// The same bytes with all set to 0 that decode_pci_config does not ask for, such as a card's serial
// number, and without those behind the last it asks for. What it decodes is the same.
[[nodiscard]] std::vector<std::byte> plain_pci_config(std::span<const std::byte> bytes);

// Where a captured tree keeps the bytes, as hexadecimal lines.
[[nodiscard]] std::string pci_config_file(const PciAddress& address);

}  // namespace ferrule
