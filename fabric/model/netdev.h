// Network devices, their addresses, and the routes over them.
#pragma once

#include "fabric/model/dcb.h"
#include "fabric/model/ethernet_link.h"
#include "fabric/model/ip.h"
#include "fabric/model/lldp.h"
#include "fabric/model/pci.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ferrule {

enum class NetdevKind { Physical, Bond, Vlan, Loopback, Virtual };

// In the kernel's order: the first address of an interface is the one NCCL listens on.
struct NetAddress {
    IpAddress address{};
    unsigned prefix_length{0};

    bool operator==(const NetAddress&) const = default;
};

struct Bond {
    std::string mode{};
    std::vector<std::string> members{};
    std::string active_member{};

    bool operator==(const Bond&) const = default;
};

struct Netdev {
    std::string name{};
    int ifindex{0};
    NetdevKind kind{NetdevKind::Physical};
    // ARPHRD_*: 1 Ethernet, 32 InfiniBand, 772 loopback.
    unsigned arp_type{0};
    std::string mac{};
    std::optional<unsigned> mtu{};
    // "up", "down", "unknown", "lowerlayerdown", ...
    std::string operstate{};
    std::optional<bool> carrier{};
    // Mb/s; absent while the link is down.
    std::optional<unsigned> speed{};
    // IFF_* bits.
    std::optional<std::uint32_t> flags{};
    // Port number of a device with several, from 0.
    unsigned dev_port{0};
    std::string driver{};
    PciPlace pci{};
    std::optional<Bond> bond{};
    std::optional<unsigned> vlan_id{};
    // The bond, bridge or VRF this one is enslaved to.
    std::string master{};
    // Devices that this one stands on.
    std::vector<std::string> lower{};
    std::vector<NetAddress> addresses{};
    // Times that the link went down since the interface was made.
    std::optional<unsigned> carrier_downs{};
    // Where a health check asks; absent also where the driver has none of it.
    std::optional<DcbState> dcb{};
    std::optional<EthernetLink> ethernet{};
    std::optional<LldpNeighbour> lldp{};
    // Priorities with ECN as notification and as reaction point, which only a vendor's driver
    // tells.
    std::optional<PrioritySet> ecn_notification{};
    std::optional<PrioritySet> ecn_reaction{};

    bool operator==(const Netdev&) const = default;
};

struct Route {
    IpPrefix destination{};
    std::string netdev{};
    std::optional<IpAddress> gateway{};
    // The address the kernel would send from.
    std::optional<IpAddress> source{};
    unsigned metric{0};

    bool operator==(const Route&) const = default;
};

[[nodiscard]] std::string_view to_text(NetdevKind kind);

}  // namespace ferrule
