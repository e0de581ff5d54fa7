// A healthy node with everything told, for tests that break one thing of it and ask one check.
#pragma once

#include "fabric/check/check.h"
#include "fabric/check/facts.h"
#include "fabric/check/growth.h"
#include "tests/support/catch.h"
#include "tests/support/state.h"

#include <algorithm>
#include <string>
#include <vector>

namespace ferrule::testing {

struct World {
    NodeSnapshot snapshot{};
    NodeProfile profile{};
    // Of the run before, a minute ago.
    History history{};

    [[nodiscard]] Hca& hca(std::size_t i) { return snapshot.hcas.at(i); }

    [[nodiscard]] Port& port(std::size_t i) { return snapshot.hcas.at(i).ports.at(0); }

    [[nodiscard]] Netdev& netdev(std::size_t i) { return snapshot.netdevs.at(i); }

    [[nodiscard]] DcbState& dcb(std::size_t i) { return snapshot.netdevs.at(i).dcb.value(); }

    [[nodiscard]] EthernetLink& link(std::size_t i) {
        return snapshot.netdevs.at(i).ethernet.value();
    }

    [[nodiscard]] PciHealth& pcie(std::size_t i) { return snapshot.hcas.at(i).pcie.value(); }

    [[nodiscard]] Expectation& wants() { return profile.expected; }

    void unreadable(const std::string& where) {
        snapshot.problems.push_back({where, 5, "Input/output error"});
    }
};

inline constexpr std::uint64_t kBefore = 3'600'000;
inline constexpr std::uint64_t kNow = kBefore + 60'000;

// The run before the one that is judged saw the same.
inline void remember(World& world) {
    NodeSnapshot before = world.snapshot;
    before.host.uptime_ms = kBefore;
    world.history = advance({}, before, followed_counters(before, scope_of(before, world.profile)));
    world.history.last.facts = facts_of(before, scope_of(before, world.profile));
}

// A function behind the PCIe switch of one rail.
inline PciPlace beside_switch(unsigned rail, unsigned port) {
    const std::string number = std::to_string(rail);
    const std::string bus = "0000:" + std::to_string(port) + number + ":00.0";
    return pci(bus, {"pci0000:a" + number, "0000:a" + number + ":01.0", "0000:b" + number + ":00.0",
                     "0000:c" + number + ":0" + std::to_string(port) + ".0"});
}

inline void complete(Hca& hca, unsigned number) {
    const PciHop card{parse_pci_address("0000:0" + std::to_string(number) + ":00.0").value(),
                      PciLink{320, 16},
                      PciLink{320, 16},
                      {}};
    const PciHop bridge{parse_pci_address("0000:0" + std::to_string(number) + ":01.0").value(),
                        PciLink{320, 16}, PciLink{320, 16}, false};
    const PciHop upstream{parse_pci_address("0000:0" + std::to_string(number) + ":02.0").value(),
                          PciLink{320, 16}, PciLink{320, 16}, false};
    const PciHop root{parse_pci_address("0000:00:0" + std::to_string(number) + ".0").value(),
                      PciLink{320, 16}, PciLink{320, 16}, false};
    hca.pcie = PciHealth{{card, bridge, upstream, root}, 4096, 512, true, 0, 0, 0};
    hca.pci = beside_switch(number, 0);
    hca.node_guid = Guid{0x100 + number};
    hca.firmware = "28.39.1002";
    hca.board_id = "MT_0000000838";
    hca.vendor_id = 0x15b3;
    hca.device_id = 0x1021;
    hca.open_error = 0;
    Port& port = hca.ports.front();
    port.active_mtu = 4096;
    port.max_mtu = 4096;
    port.counters = Counters{{"symbol_error", 10},
                             {"link_error_recovery", 0},
                             {"link_downed", 1},
                             {"port_rcv_errors", 0},
                             {"port_xmit_discards", 0}};
    port.hw_counters = Counters{{"local_ack_timeout_err", 0},
                                {"packet_seq_err", 0},
                                {"rx_icrc_encapsulated", 0},
                                {"np_ecn_marked_roce_packets", 0},
                                {"np_cnp_sent", 0}};
}

inline void complete_host(NodeSnapshot& snapshot) {
    snapshot.hostname = "n1";
    snapshot.kernel = "6.8.0-45-generic";
    snapshot.rdma_class = true;
    for (unsigned i = 0; i < 4; ++i) {
        snapshot.gpus.push_back(gpu(i, "0000:10:00.0", {}));
        snapshot.gpus.back().pci = beside_switch(i, 1);
    }
    snapshot.host.boot_id = "boot 1";
    snapshot.host.uptime_ms = kNow;
    snapshot.host.modules = {"ib_umad", "ib_uverbs", "mlx5_ib", "nvidia_peermem"};
    snapshot.host.sysctls = {{"net.ipv4.conf.all.arp_ignore", "1"},
                             {"net.ipv4.conf.all.arp_announce", "2"}};
}

// Four rails mlx5_0 to mlx5_3 with IPoIB interfaces.
inline World infiniband_world() {
    World world{};
    complete_host(world.snapshot);
    for (unsigned i = 0; i < 4; ++i) {
        const std::string number = std::to_string(i);
        Hca hca = infiniband("mlx5_" + number, "0000:0" + number + ":00.0");
        complete(hca, i);
        hca.ports.front().lid = Lid{static_cast<std::uint16_t>(0x11 + i)};
        hca.ports.front().sm_lid = Lid{1};
        hca.ports.front().netdev = "ib" + number;
        world.snapshot.hcas.push_back(hca);
        world.snapshot.netdevs.push_back(netdev("ib" + number, "10.0.0." + std::to_string(i + 5)));
        world.snapshot.rdma_functions.push_back(
            {hca.pci.address.value(), hca.vendor_id, hca.device_id, "mlx5_core"});
    }
    remember(world);
    return world;
}

inline Netdev roce_netdev(const std::string& name, const std::string& address) {
    Netdev it = netdev(name, address);
    it.mtu = 9000;
    it.carrier = true;
    it.speed = 400'000;
    it.carrier_downs = 1;
    it.dcb = DcbState{};
    it.dcb->pfc = PfcState{8, PrioritySet{8}, false, 0, {}, {}};
    it.dcb->ets = EtsState{};
    it.dcb->ets->selection.fill(TransmitSelection::Ets);
    it.dcb->ets->bandwidth = {50, 0, 0, 50, 0, 0, 0, 0};
    it.dcb->applications = {{AppSelector::Dscp, 26, 3}, {AppSelector::Dscp, 48, 6}};
    it.dcb->buffers = ReceiveBuffers{{0, 0, 0, 1, 0, 0, 0, 0}, {20000, 200000}, 262144};
    it.dcb->dcbx = 1;
    it.ethernet = EthernetLink{};
    it.ethernet->pause = PauseState{};
    it.ethernet->link_up = true;
    it.ethernet->lanes = 4;
    it.ethernet->fec = "RS";
    it.ethernet->statistics = {{"rx_prio3_discards", 0},
                               {"rx_prio0_discards", 0},
                               {"rx_discards_phy", 0},
                               {"rx_crc_errors_phy", 0},
                               {"tx_pause_storm_error_events", 0}};
    it.lldp = LldpNeighbour{};
    it.lldp->system_name = "leaf1.example";
    it.lldp->port_id = "Ethernet1/" + name.substr(name.size() - 1);
    it.lldp->max_frame_size = 9236;
    it.lldp->vlan = std::uint16_t{100};
    it.lldp->pfc = LldpPfc{false, false, 8, PrioritySet{8}};
    it.ecn_notification = PrioritySet{8};
    it.ecn_reaction = PrioritySet{8};
    return it;
}

// Four rails mlx5_0 to mlx5_3 on the interfaces net_mlx5_0 to net_mlx5_3, each in its own subnet.
inline World roce_world() {
    World world{};
    complete_host(world.snapshot);
    for (unsigned i = 0; i < 4; ++i) {
        const std::string number = std::to_string(i);
        const std::string address = "10." + number + ".0.5";
        Hca hca = roce("mlx5_" + number, "0000:0" + number + ":00.0", address);
        complete(hca, i);
        hca.ports.front().cm_gid_type = GidType::RoceV2;
        hca.ports.front().cm_tos = std::uint8_t{104};
        world.snapshot.netdevs.push_back(roce_netdev(hca.ports.front().netdev, address));
        world.snapshot.hcas.push_back(hca);
        world.snapshot.rdma_functions.push_back(
            {hca.pci.address.value(), hca.vendor_id, hca.device_id, "mlx5_core"});
    }
    remember(world);
    return world;
}

// Two rails rdmap0 and rdmap1 of Amazon's.
inline World efa_world() {
    World world{};
    complete_host(world.snapshot);
    for (unsigned i = 0; i < 2; ++i) {
        const std::string number = std::to_string(i);
        Hca hca = infiniband("rdmap" + number, "0000:0" + number + ":00.0");
        complete(hca, i);
        hca.driver = "efa";
        hca.node_type = NodeType::Unspecified;
        hca.vendor_id = 0x1d0f;
        hca.ports.front().link_layer = LinkLayer::Unspecified;
        hca.ports.front().counters = std::nullopt;
        hca.ports.front().hw_counters = Counters{{"rx_drops", 0}};
        world.snapshot.hcas.push_back(hca);
    }
    remember(world);
    return world;
}

enum class Fabric { InfiniBand, Roce, Efa };

[[nodiscard]] inline World world_of(Fabric fabric) {
    switch (fabric) {
        case Fabric::InfiniBand:
            return infiniband_world();
        case Fabric::Roce:
            return roce_world();
        case Fabric::Efa:
            break;
    }
    return efa_world();
}

[[nodiscard]] inline std::vector<Finding> judged(const World& world, const std::string& only = {}) {
    const NodeSnapshot& snapshot = world.snapshot;
    const History history = advance(world.history, snapshot,
                                    followed_counters(snapshot, scope_of(snapshot, world.profile)));
    const CheckChoice choice = only.empty() ? CheckChoice{} : CheckChoice{{only}};
    return run_checks(snapshot, world.profile, history, choice);
}

// What is changed in a healthy world, and what a check then says of one object.
struct Case {
    Fabric fabric{};
    const char* check{nullptr};
    void (*change)(World&){nullptr};
    const char* object{nullptr};
    Outcome outcome{};
    // A part of what is seen.
    const char* seen{""};
    Severity severity{Severity::Critical};
};

inline void nothing(World&) {}

// The worst that the check says of the object.
inline void expect(const Case& it) {
    World world = world_of(it.fabric);
    it.change(world);
    const auto findings = judged(world, it.check);
    const auto found = std::ranges::find(findings, it.object, &Finding::object);
    INFO(it.check << " of " << it.object);
    REQUIRE(found != findings.end());
    CHECK(to_text(found->outcome) == to_text(it.outcome));
    CHECK_THAT(found->seen, Catch::Matchers::Contains(it.seen));
    CHECK((found->outcome != Outcome::Fail || found->severity == it.severity));
}

}  // namespace ferrule::testing
