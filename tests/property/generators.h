// Arbitrary values of the model for the laws in this folder.
#pragma once

#include "tests/support/state.h"

#include <rapidcheck.h>

#include <string>
#include <vector>

namespace rc {

template <>
struct Arbitrary<ferrule::Gid> {
    static Gen<ferrule::Gid> arbitrary() {
        return gen::map(
            gen::container<std::array<std::uint8_t, 16>>(gen::arbitrary<std::uint8_t>()),
            [](const auto& bytes) { return ferrule::Gid{bytes}; });
    }
};

}  // namespace rc

namespace ferrule::testing {

inline rc::Gen<PciAddress> any_pci_address() {
    return rc::gen::map(
        rc::gen::tuple(rc::gen::inRange<std::uint32_t>(0, 0x10000), rc::gen::inRange(0, 256),
                       rc::gen::inRange(0, 32), rc::gen::inRange(0, 8)),
        [](const auto& parts) {
            return PciAddress{std::get<0>(parts), static_cast<std::uint8_t>(std::get<1>(parts)),
                              static_cast<std::uint8_t>(std::get<2>(parts)),
                              static_cast<std::uint8_t>(std::get<3>(parts))};
        });
}

inline rc::Gen<IpAddress> any_ip() {
    return rc::gen::exec([] {
        IpAddress address{};
        address.family = *rc::gen::element(IpFamily::V4, IpFamily::V6);
        for (unsigned i = 0; i < address.bits() / 8; ++i) {
            address.bytes.at(i) = *rc::gen::arbitrary<std::uint8_t>();
        }
        return address;
    });
}

// A GID table as kernels make them and as they never should: holes, duplicates, any type.
inline rc::Gen<Port> any_roce_port() {
    return rc::gen::exec([] {
        Port port{};
        port.link_layer = LinkLayer::Ethernet;
        port.state = PortState::Active;
        port.gid_table_size = *rc::gen::inRange(0U, 12U);
        for (unsigned index = 0; index < port.gid_table_size; ++index) {
            const std::string address = *rc::gen::elementOf(
                std::vector<std::string>{"", "fe80::1", "169.254.3.1", "10.0.0.5", "10.1.0.5",
                                         "192.168.1.5", "fd93::5", "2001:db8::5"});
            if (!address.empty()) {
                port.gids.push_back(
                    row(index, address, *rc::gen::element(GidType::RoceV1, GidType::RoceV2)));
            }
        }
        return port;
    });
}

// A node of unlike HCAs, some of them unusable, with GPUs here and there, at least `least_gpus`.
inline rc::Gen<NodeSnapshot> any_node(int least_gpus = 0) {
    return rc::gen::exec([least_gpus] {
        NodeSnapshot snapshot{};
        snapshot.rdma_class = true;
        const int count = *rc::gen::inRange(least_gpus, 10);
        for (int i = 0; i < count; ++i) {
            const std::string bus = std::to_string(10 + i);
            const std::string address = "0000:" + bus + ":00.0";
            const std::string name = "mlx5_" + std::to_string(i);
            Hca hca = *rc::gen::element(infiniband(name, address),
                                        roce(name, address, "10." + bus + ".0.5"));
            Port& port = hca.ports.front();
            port.state = *rc::gen::element<std::optional<PortState>>(
                PortState::Active, PortState::Active, PortState::Down, std::nullopt);
            port.rate = *rc::gen::element<std::optional<LinkRate>>(
                LinkRate{4000, 4, "NDR"}, LinkRate{2000, 4, "HDR"}, std::nullopt);
            hca.openable = *rc::gen::weightedElement<bool>({{9, true}, {1, false}});
            const std::vector<std::string> bridges{"pci0000:" + bus, "0000:" + bus + ":01.0"};
            hca.pci = pci(address, bridges, i % 2);
            if (i < least_gpus || *rc::gen::arbitrary<bool>()) {
                snapshot.gpus.push_back(gpu(static_cast<unsigned>(snapshot.gpus.size()),
                                            "0000:" + bus + ":1f.0", bridges));
            }
            snapshot.hcas.push_back(hca);
        }
        snapshot.netdevs = {netdev("eno1", "10.77.0.11")};
        snapshot.routes = {route("0.0.0.0/0", "eno1")};
        return snapshot;
    });
}

inline rc::Gen<Environment> any_environment() {
    return rc::gen::exec([] {
        Environment environment;
        const auto size = *rc::gen::inRange(0, 6);
        for (int i = 0; i < size; ++i) {
            const std::string name = *rc::gen::elementOf(
                std::vector<std::string>{"NCCL_IB_HCA", "NCCL_SOCKET_IFNAME", "UCX_NET_DEVICES",
                                         "NCCL_IB_ADDR_FAMILY", "PATH", kMarkerName});
            environment[name] = *rc::gen::element<std::string>(
                "", "mine", "=mlx5_0:1", "NCCL_IB_HCA=mine;PATH=mine", "PATH=;;=%", "=eno1");
        }
        return environment;
    });
}

}  // namespace ferrule::testing
