// The wire between processes: every member of every struct arrives.
#include "fabric/isolate/wire.h"

#include "tests/support/catch.h"

#include <array>
#include <type_traits>

using namespace ferrule;

namespace {

// Gives every member a value that no other has and that is not its default. A struct is taken apart
// by a binding, which does not compile once it has a member more; so this cannot forget one, and
// the round trip below notices what the wire forgets.
class Filler {
  public:
    void fill(bool& it) { it = !it; }

    void fill(std::string& it) { it = "text " + std::to_string(++last_); }

    template <typename T>
        requires std::is_enum_v<T>
    void fill(T& it) {
        it = static_cast<T>(1 + ++last_ % 99);
    }

    template <typename T>
        requires std::is_integral_v<T>
    void fill(T& it) {
        it = static_cast<T>(1 + ++last_ % 99);
    }

    template <typename T>
    void fill(std::optional<T>& it) {
        fill(it.emplace());
    }

    template <typename T>
    void fill(std::vector<T>& it) {
        it.resize(2);
        fill(it[0]);
        fill(it[1]);
    }

    template <typename T, std::size_t N>
    void fill(std::array<T, N>& it) {
        for (T& one : it) {
            fill(one);
        }
    }

    template <typename A, typename B>
    void fill(std::pair<A, B>& it) {
        fill_all(it.first, it.second);
    }

    void fill(PciAddress& it) {
        auto& [domain, bus, device, function] = it;
        fill_all(domain, bus, device, function);
    }

    void fill(PciPlace& it) {
        auto& [address, path, numa_node] = it;
        fill_all(address, path, numa_node);
    }

    void fill(PciLink& it) {
        auto& [tenth_gts, lanes] = it;
        fill_all(tenth_gts, lanes);
    }

    void fill(PciHop& it) {
        auto& [address, current, max, acs_redirects] = it;
        fill_all(address, current, max, acs_redirects);
    }

    void fill(PciHealth& it) {
        auto& [path, max_read_request, max_payload, relaxed_ordering, correctable_errors,
               nonfatal_errors, fatal_errors] = it;
        fill_all(path, max_read_request, max_payload, relaxed_ordering, correctable_errors,
                 nonfatal_errors, fatal_errors);
    }

    void fill(Guid& it) {
        auto& [value] = it;
        fill_all(value);
    }

    void fill(Gid& it) {
        auto& [bytes] = it;
        fill_all(bytes);
    }

    void fill(GidEntry& it) {
        auto& [index, gid, type, netdev] = it;
        fill_all(index, gid, type, netdev);
    }

    void fill(Pkey& it) {
        auto& [value] = it;
        fill_all(value);
    }

    void fill(PkeyEntry& it) {
        auto& [index, pkey] = it;
        fill_all(index, pkey);
    }

    void fill(Lid& it) {
        auto& [value] = it;
        fill_all(value);
    }

    void fill(LinkRate& it) {
        auto& [tenth_gbps, lanes, generation] = it;
        fill_all(tenth_gbps, lanes, generation);
    }

    void fill(Counter& it) {
        auto& [name, value] = it;
        fill_all(name, value);
    }

    void fill(Port& it) {
        auto& [number, link_layer, state, phys_state, rate, lid, sm_lid, cap_mask, gid_table_size,
               gids, pkeys, netdev, counters, hw_counters, active_mtu, max_mtu, cm_gid_type,
               cm_tos] = it;
        fill_all(number, link_layer, state, phys_state, rate, lid, sm_lid, cap_mask, gid_table_size,
                 gids, pkeys, netdev, counters, hw_counters, active_mtu, max_mtu, cm_gid_type,
                 cm_tos);
    }

    void fill(Hca& it) {
        auto& [name, node_type, function, node_guid, sys_image_guid, node_desc, driver, firmware,
               hca_type, board_id, vendor_id, device_id, pci, max_link, physical_function, uverbs,
               openable, open_error, driver_version, pcie, hw_counters, ports] = it;
        fill_all(name, node_type, function, node_guid, sys_image_guid, node_desc, driver, firmware,
                 hca_type, board_id, vendor_id, device_id, pci, max_link, physical_function, uverbs,
                 openable, open_error, driver_version, pcie, hw_counters, ports);
    }

    void fill(PrioritySet& it) {
        auto& [bits] = it;
        fill_all(bits);
    }

    void fill(PfcState& it) {
        auto& [capable, enabled, macsec_bypass, delay, sent, received] = it;
        fill_all(capable, enabled, macsec_bypass, delay, sent, received);
    }

    void fill(EtsState& it) {
        auto& [willing, classes, bandwidth, selection, class_of_priority] = it;
        fill_all(willing, classes, bandwidth, selection, class_of_priority);
    }

    void fill(AppEntry& it) {
        auto& [selector, protocol, priority] = it;
        fill_all(selector, protocol, priority);
    }

    void fill(ReceiveBuffers& it) {
        auto& [buffer_of_priority, sizes, total] = it;
        fill_all(buffer_of_priority, sizes, total);
    }

    void fill(DcbState& it) {
        auto& [pfc, ets, applications, buffers, dcbx] = it;
        fill_all(pfc, ets, applications, buffers, dcbx);
    }

    void fill(PauseState& it) {
        auto& [autonegotiated, receive, transmit] = it;
        fill_all(autonegotiated, receive, transmit);
    }

    void fill(EthernetLink& it) {
        auto& [pause, link_up, down_reason, speed, lanes, fec, fec_corrected, fec_uncorrectable,
               statistics] = it;
        fill_all(pause, link_up, down_reason, speed, lanes, fec, fec_corrected, fec_uncorrectable,
                 statistics);
    }

    void fill(LldpPfc& it) {
        auto& [willing, macsec_bypass, capable, enabled] = it;
        fill_all(willing, macsec_bypass, capable, enabled);
    }

    void fill(LldpNeighbour& it) {
        auto& [chassis_id, port_id, port_description, system_name, ttl_seconds, vlan,
               max_frame_size, pfc, ets, applications] = it;
        fill_all(chassis_id, port_id, port_description, system_name, ttl_seconds, vlan,
                 max_frame_size, pfc, ets, applications);
    }

    void fill(IpAddress& it) {
        auto& [family, bytes] = it;
        fill_all(family, bytes);
    }

    void fill(IpPrefix& it) {
        auto& [address, length] = it;
        fill_all(address, length);
    }

    void fill(NetAddress& it) {
        auto& [address, prefix_length] = it;
        fill_all(address, prefix_length);
    }

    void fill(Bond& it) {
        auto& [mode, members, active_member] = it;
        fill_all(mode, members, active_member);
    }

    void fill(Netdev& it) {
        auto& [name, ifindex, kind, arp_type, mac, mtu, operstate, carrier, speed, flags, dev_port,
               driver, pci, bond, vlan_id, master, lower, addresses, carrier_downs, dcb, ethernet,
               lldp, ecn_notification, ecn_reaction] = it;
        fill_all(name, ifindex, kind, arp_type, mac, mtu, operstate, carrier, speed, flags,
                 dev_port, driver, pci, bond, vlan_id, master, lower, addresses, carrier_downs, dcb,
                 ethernet, lldp, ecn_notification, ecn_reaction);
    }

    void fill(Route& it) {
        auto& [destination, netdev, gateway, source, metric] = it;
        fill_all(destination, netdev, gateway, source, metric);
    }

    void fill(Gpu& it) {
        auto& [pci, vendor_id, minor, uuid, mig_instances, model] = it;
        fill_all(pci, vendor_id, minor, uuid, mig_instances, model);
    }

    void fill(HostState& it) {
        auto& [boot_id, uptime_ms, product, modules, sysctls, iommu] = it;
        fill_all(boot_id, uptime_ms, product, modules, sysctls, iommu);
    }

    void fill(ReadProblem& it) {
        auto& [where, error_number, what] = it;
        fill_all(where, error_number, what);
    }

    void fill(RdmaFunction& it) {
        auto& [address, vendor_id, device_id, driver, has_device] = it;
        fill_all(address, vendor_id, device_id, driver, has_device);
    }

    void fill(HungDevice& it) {
        auto& [name, step, waited_ms, in_kernel, waits_at, busy] = it;
        fill_all(name, step, waited_ms, in_kernel, waits_at, busy);
    }

    void fill(MtuProbe& it) {
        auto& [netdev, peer, size, answered, small_answered, error_number] = it;
        fill_all(netdev, peer, size, answered, small_answered, error_number);
    }

    void fill(Peer& it) {
        auto& [name, address, role, route] = it;
        fill_all(name, address, role, route);
    }

    void fill(NodeSnapshot& it) {
        auto& [hostname, kernel, rdma_class, infiniband_functions, hcas, netdevs, routes, gpus,
               peers, all_peers, nccl_conf, memlock_limit, host, rdma_functions, mtu_probes, hung,
               problems] = it;
        fill_all(hostname, kernel, rdma_class, infiniband_functions, hcas, netdevs, routes, gpus,
                 peers, all_peers, nccl_conf, memlock_limit, host, rdma_functions, mtu_probes, hung,
                 problems);
    }

    void fill(Piece& it) {
        auto& [hcas, netdevs, node, problems] = it;
        fill_all(hcas, netdevs, node, problems);
    }

  private:
    template <typename... Members>
    void fill_all(Members&... members) {
        (fill(members), ...);
    }

    unsigned last_{0};
};

Piece full_piece() {
    Piece piece{};
    Filler{}.fill(piece);
    return piece;
}

}  // namespace

TEST_CASE("every member of every struct crosses the wire") {
    const Piece piece = full_piece();
    REQUIRE(piece.hcas.at(1).ports.at(1).cm_tos.value_or(0) != 0);

    const Piece arrived = piece_of(to_bytes(piece));

    CHECK(arrived.hcas == piece.hcas);
    CHECK(arrived.netdevs == piece.netdevs);
    CHECK(arrived.node == piece.node);
    CHECK(arrived.problems == piece.problems);
}

TEST_CASE("an empty piece crosses the wire") {
    const Piece arrived = piece_of(to_bytes(Piece{}));
    CHECK(arrived.hcas.empty());
    CHECK(arrived.node == NodeSnapshot{});
}

TEST_CASE("bytes that are no piece are an exception, at any length") {
    const std::string bytes = to_bytes(full_piece());
    for (std::size_t length = 0; length < bytes.size(); length += 1 + length / 7) {
        INFO(length);
        CHECK_THROWS_AS(piece_of(bytes.substr(0, length)), std::exception);
    }
    CHECK_THROWS_AS(piece_of("this is no piece of a node"), std::exception);
}
