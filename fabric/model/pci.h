// PCI addresses, and the place of a function in the tree of bridges.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ferrule {

struct PciAddress {
    std::uint32_t domain{0};
    std::uint8_t bus{0};
    std::uint8_t device{0};
    std::uint8_t function{0};

    // Equal for all functions of one card in one slot.
    [[nodiscard]] PciAddress slot() const { return {domain, bus, device, 0}; }

    auto operator<=>(const PciAddress&) const = default;
};

// Where a PCI function sits: the directories of sysfs from the host bridge down to the function
// itself, "pci0000:15", "0000:15:01.0", ..., "0000:18:00.0". Empty for a device without PCI.
struct PciPlace {
    std::optional<PciAddress> address{};
    std::vector<std::string> path{};
    // As numa_node says; a node with one memory domain often says -1, which is no value here.
    std::optional<int> numa_node{};

    bool operator==(const PciPlace&) const = default;
};

// How far apart two PCI functions are, near to far; the words are those of nvidia-smi topo.
enum class PciDistance {
    Pix,     // at most one bridge between them
    Pxb,     // several bridges, none of them the host's
    Phb,     // the same host bridge
    Node,    // other host bridges of one NUMA node
    System,  // between NUMA nodes, or unknown
};

// "0000:18:00.0"; also "00000000:18:00.0" and upper case, as nvidia-smi prints it.
[[nodiscard]] std::optional<PciAddress> parse_pci_address(std::string_view text);
[[nodiscard]] std::string to_text(const PciAddress& address);

// The place told by the target of a class link, such as
// "../../devices/pci0000:15/0000:15:01.0/0000:18:00.0/infiniband/mlx5_0": the directories from the
// host bridge to the last PCI address. `numa_node` is left empty.
[[nodiscard]] PciPlace pci_place_of_link(std::string_view link_target);

[[nodiscard]] PciDistance distance(const PciPlace& left, const PciPlace& right);

}  // namespace ferrule
