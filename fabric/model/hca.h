// An RDMA device and its ports, as the kernel shows them. Every member has a default, so that a
// test states only what it means.
#pragma once

#include "fabric/model/counter.h"
#include "fabric/model/gid.h"
#include "fabric/model/guid.h"
#include "fabric/model/link_rate.h"
#include "fabric/model/pci.h"
#include "fabric/model/pci_health.h"
#include "fabric/model/pci_link.h"
#include "fabric/model/pkey.h"
#include "fabric/model/port_state.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ferrule {

// The number in front of the colon in `node_type`.
enum class NodeType {
    Unknown = 0,
    Ca = 1,
    Switch = 2,
    Router = 3,
    Rnic = 4,
    UsNic = 5,
    UsNicUdp = 6,
    Unspecified = 7
};

// What kind of PCI function stands behind a device.
enum class FunctionKind { Physical, Virtual, SubFunction, Software };

// A local identifier; 0 and 0xffff mean "not assigned".
struct Lid {
    std::uint16_t value{0};

    bool operator==(const Lid&) const = default;
};

struct Port {
    unsigned number{1};
    LinkLayer link_layer{LinkLayer::Unspecified};
    std::optional<PortState> state{};
    std::optional<PhysState> phys_state{};
    std::optional<LinkRate> rate{};
    std::optional<Lid> lid{};
    std::optional<Lid> sm_lid{};
    std::optional<std::uint32_t> cap_mask{};
    // Rows of the table, empty ones included; 0 where it was not asked for.
    unsigned gid_table_size{0};
    // Non-empty rows in order of index.
    std::vector<GidEntry> gids{};
    std::vector<PkeyEntry> pkeys{};
    // The netdev of the port itself; of a RoCE LAG the bond. Empty where there is none.
    std::string netdev{};
    // The directories counters/ (the InfiniBand view of the port) and hw_counters/ (the driver's).
    // Absent where there is no such directory, or nobody asked.
    std::optional<Counters> counters{};
    std::optional<Counters> hw_counters{};
    // Bytes, as verbs tells them: 256 to 4096. Absent where nobody asked.
    std::optional<unsigned> active_mtu{};
    std::optional<unsigned> max_mtu{};
    // rdma_cm's defaults for connections over this port; only where its configfs directory is.
    std::optional<GidType> cm_gid_type{};
    std::optional<std::uint8_t> cm_tos{};

    bool operator==(const Port&) const = default;
};

struct Hca {
    std::string name{};
    NodeType node_type{NodeType::Unknown};
    FunctionKind function{FunctionKind::Physical};
    Guid node_guid{};
    // Equal for all functions of one card.
    Guid sys_image_guid{};
    std::string node_desc{};
    std::string driver{};
    std::string firmware{};
    std::string hca_type{};
    std::string board_id{};
    std::uint16_t vendor_id{0};
    std::uint16_t device_id{0};
    PciPlace pci{};
    // The fastest its PCIe link can be; absent for virtual functions, and where nobody asked.
    std::optional<PciLink> max_link{};
    // A virtual function whose physical one is visible too: that function's PCI address.
    std::optional<PciAddress> physical_function{};
    // The verbs character device "uverbs0"; empty when ib_uverbs made none.
    std::string uverbs{};
    // That device exists below /dev.
    bool openable{false};
    // errno of opening it through verbs; 0 when that worked, absent where nobody tried.
    std::optional<int> open_error{};
    // sys/module/<driver>/version; empty for a driver of the kernel's own.
    std::string driver_version{};
    // Where everything is asked for.
    std::optional<PciHealth> pcie{};
    Counters hw_counters{};
    std::vector<Port> ports{};

    bool operator==(const Hca&) const = default;
};

[[nodiscard]] std::string_view to_text(NodeType type);
[[nodiscard]] std::string_view to_text(FunctionKind kind);

}  // namespace ferrule
