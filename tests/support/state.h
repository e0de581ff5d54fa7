// Short ways to state a node in a test: what is not said is healthy.
#pragma once

#include "fabric/model/snapshot.h"

#include <string>
#include <vector>

namespace ferrule::testing {

inline Gid gid(const std::string& address) {
    const IpAddress ip = parse_ip(address).value();
    Gid gid{};
    if (ip.family == IpFamily::V6) {
        gid.bytes = ip.bytes;
        return gid;
    }
    gid.bytes[10] = gid.bytes[11] = 0xff;
    std::copy(ip.bytes.begin(), ip.bytes.begin() + 4, gid.bytes.begin() + 12);
    return gid;
}

inline GidEntry row(unsigned index, const std::string& address, GidType type,
                    const std::string& netdev = {}) {
    return {index, gid(address), type, netdev};
}

// The usual table of mlx5: link-local and IPv4, each as version 1 and 2.
inline std::vector<GidEntry> usual_gids(const std::string& address,
                                        const std::string& netdev = {}) {
    return {row(0, "fe80::1", GidType::RoceV1, netdev), row(1, "fe80::1", GidType::RoceV2, netdev),
            row(2, address, GidType::RoceV1, netdev), row(3, address, GidType::RoceV2, netdev)};
}

inline PciPlace pci(const std::string& address, const std::vector<std::string>& bridges = {},
                    std::optional<int> numa_node = {}) {
    PciPlace place{parse_pci_address(address), bridges, numa_node};
    place.path.push_back(address);
    return place;
}

// An ACTIVE InfiniBand device of one port at 400 Gb/s on a host bridge of its own.
inline Hca infiniband(const std::string& name, const std::string& address) {
    Port port{};
    port.link_layer = LinkLayer::InfiniBand;
    port.state = PortState::Active;
    port.phys_state = PhysState::LinkUp;
    port.rate = LinkRate{4000, 4, "NDR"};
    port.pkeys = {{0, Pkey{0xffff}}};
    Hca hca{};
    hca.name = name;
    hca.node_type = NodeType::Ca;
    hca.driver = "mlx5_core";
    hca.pci = pci(address, {"pci" + address.substr(0, 7)});
    hca.uverbs = "uverbs0";
    hca.openable = true;
    hca.ports = {port};
    return hca;
}

// The same as RoCE with the usual GID table.
inline Hca roce(const std::string& name, const std::string& address, const std::string& ip) {
    Hca hca = infiniband(name, address);
    Port& port = hca.ports.front();
    port.link_layer = LinkLayer::Ethernet;
    port.netdev = "net_" + name;
    port.gids = usual_gids(ip, port.netdev);
    port.gid_table_size = 256;
    return hca;
}

inline Netdev netdev(const std::string& name, const std::string& address = {},
                     unsigned prefix_length = 24) {
    Netdev device{};
    device.name = name;
    device.operstate = "up";
    if (!address.empty()) {
        device.addresses = {{parse_ip(address).value(), prefix_length}};
    }
    return device;
}

inline Route route(const std::string& destination, const std::string& device, unsigned metric = 0) {
    return {parse_prefix(destination).value(), device, {}, {}, metric};
}

inline Gpu gpu(unsigned minor, const std::string& address,
               const std::vector<std::string>& bridges) {
    Gpu it{};
    it.pci = pci(address, bridges);
    it.vendor_id = 0x10de;
    it.minor = minor;
    it.uuid = "GPU-" + std::to_string(minor);
    return it;
}

}  // namespace ferrule::testing
