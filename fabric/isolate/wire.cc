#include "fabric/isolate/wire.h"

#include <cereal/archives/binary.hpp>
#include <cereal/types/array.hpp>
#include <cereal/types/optional.hpp>
#include <cereal/types/string.hpp>
#include <cereal/types/utility.hpp>
#include <cereal/types/vector.hpp>
#include <sstream>

// One line for each struct: its members. The compiler does not notice one that is forgotten, a test
// does.
namespace ferrule {

template <class A>
static void serialize(A& a, Guid& v) {
    a(v.value);
}

template <class A>
static void serialize(A& a, Gid& v) {
    a(v.bytes);
}

template <class A>
static void serialize(A& a, GidEntry& v) {
    a(v.index, v.gid, v.type, v.netdev);
}

template <class A>
static void serialize(A& a, Pkey& v) {
    a(v.value);
}

template <class A>
static void serialize(A& a, PkeyEntry& v) {
    a(v.index, v.pkey);
}

template <class A>
static void serialize(A& a, Lid& v) {
    a(v.value);
}

template <class A>
static void serialize(A& a, LinkRate& v) {
    a(v.tenth_gbps, v.lanes, v.generation);
}

template <class A>
static void serialize(A& a, Counter& v) {
    a(v.name, v.value);
}

template <class A>
static void serialize(A& a, PciAddress& v) {
    a(v.domain, v.bus, v.device, v.function);
}

template <class A>
static void serialize(A& a, PciPlace& v) {
    a(v.address, v.path, v.numa_node);
}

template <class A>
static void serialize(A& a, PciLink& v) {
    a(v.tenth_gts, v.lanes);
}

template <class A>
static void serialize(A& a, PciHop& v) {
    a(v.address, v.current, v.max, v.acs_redirects);
}

template <class A>
static void serialize(A& a, PciHealth& v) {
    a(v.path, v.max_read_request, v.max_payload, v.relaxed_ordering, v.correctable_errors,
      v.nonfatal_errors, v.fatal_errors);
}

template <class A>
static void serialize(A& a, Port& v) {
    a(v.number, v.link_layer, v.state, v.phys_state, v.rate, v.lid, v.sm_lid, v.cap_mask,
      v.gid_table_size, v.gids, v.pkeys, v.netdev, v.counters, v.hw_counters, v.active_mtu,
      v.max_mtu, v.cm_gid_type, v.cm_tos);
}

template <class A>
static void serialize(A& a, Hca& v) {
    a(v.name, v.node_type, v.function, v.node_guid, v.sys_image_guid, v.node_desc, v.driver,
      v.firmware, v.hca_type, v.board_id, v.vendor_id, v.device_id, v.pci, v.max_link,
      v.physical_function, v.uverbs, v.openable, v.open_error, v.driver_version, v.pcie,
      v.hw_counters, v.ports);
}

template <class A>
static void serialize(A& a, PrioritySet& v) {
    a(v.bits);
}

template <class A>
static void serialize(A& a, PfcState& v) {
    a(v.capable, v.enabled, v.macsec_bypass, v.delay, v.sent, v.received);
}

template <class A>
static void serialize(A& a, EtsState& v) {
    a(v.willing, v.classes, v.bandwidth, v.selection, v.class_of_priority);
}

template <class A>
static void serialize(A& a, AppEntry& v) {
    a(v.selector, v.protocol, v.priority);
}

template <class A>
static void serialize(A& a, ReceiveBuffers& v) {
    a(v.buffer_of_priority, v.sizes, v.total);
}

template <class A>
static void serialize(A& a, DcbState& v) {
    a(v.pfc, v.ets, v.applications, v.buffers, v.dcbx);
}

template <class A>
static void serialize(A& a, PauseState& v) {
    a(v.autonegotiated, v.receive, v.transmit);
}

template <class A>
static void serialize(A& a, EthernetLink& v) {
    a(v.pause, v.link_up, v.down_reason, v.speed, v.lanes, v.fec, v.fec_corrected,
      v.fec_uncorrectable, v.statistics);
}

template <class A>
static void serialize(A& a, LldpPfc& v) {
    a(v.willing, v.macsec_bypass, v.capable, v.enabled);
}

template <class A>
static void serialize(A& a, LldpNeighbour& v) {
    a(v.chassis_id, v.port_id, v.port_description, v.system_name, v.ttl_seconds, v.vlan,
      v.max_frame_size, v.pfc, v.ets, v.applications);
}

template <class A>
static void serialize(A& a, IpAddress& v) {
    a(v.family, v.bytes);
}

template <class A>
static void serialize(A& a, IpPrefix& v) {
    a(v.address, v.length);
}

template <class A>
static void serialize(A& a, NetAddress& v) {
    a(v.address, v.prefix_length);
}

template <class A>
static void serialize(A& a, Bond& v) {
    a(v.mode, v.members, v.active_member);
}

template <class A>
static void serialize(A& a, Netdev& v) {
    a(v.name, v.ifindex, v.kind, v.arp_type, v.mac, v.mtu, v.operstate, v.carrier, v.speed, v.flags,
      v.dev_port, v.driver, v.pci, v.bond, v.vlan_id, v.master, v.lower, v.addresses,
      v.carrier_downs, v.dcb, v.ethernet, v.lldp, v.ecn_notification, v.ecn_reaction);
}

template <class A>
static void serialize(A& a, Route& v) {
    a(v.destination, v.netdev, v.gateway, v.source, v.metric);
}

template <class A>
static void serialize(A& a, Gpu& v) {
    a(v.pci, v.vendor_id, v.minor, v.uuid, v.mig_instances, v.model);
}

template <class A>
static void serialize(A& a, HostState& v) {
    a(v.boot_id, v.uptime_ms, v.product, v.modules, v.sysctls, v.iommu);
}

template <class A>
static void serialize(A& a, ReadProblem& v) {
    a(v.where, v.error_number, v.what);
}

template <class A>
static void serialize(A& a, RdmaFunction& v) {
    a(v.address, v.vendor_id, v.device_id, v.driver, v.has_device);
}

template <class A>
static void serialize(A& a, HungDevice& v) {
    a(v.name, v.step, v.waited_ms, v.in_kernel, v.waits_at, v.busy);
}

template <class A>
static void serialize(A& a, MtuProbe& v) {
    a(v.netdev, v.peer, v.size, v.answered, v.small_answered, v.error_number);
}

template <class A>
static void serialize(A& a, Peer& v) {
    a(v.name, v.address, v.role, v.route);
}

template <class A>
static void serialize(A& a, NodeSnapshot& v) {
    a(v.hostname, v.kernel, v.rdma_class, v.infiniband_functions, v.hcas, v.netdevs, v.routes,
      v.gpus, v.peers, v.all_peers, v.nccl_conf, v.memlock_limit, v.host, v.rdma_functions,
      v.mtu_probes, v.hung, v.problems);
}

template <class A>
static void serialize(A& a, Piece& v) {
    a(v.hcas, v.netdevs, v.node, v.problems);
}

std::string to_bytes(const Piece& piece) {
    std::ostringstream out;
    cereal::BinaryOutputArchive archive{out};
    archive(piece);
    return std::move(out).str();
}

Piece piece_of(const std::string& bytes) {
    std::istringstream in{bytes};
    cereal::BinaryInputArchive archive{in};
    Piece piece{};
    archive(piece);
    return piece;
}

}  // namespace ferrule
