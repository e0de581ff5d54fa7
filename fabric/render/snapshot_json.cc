#include "fabric/render/json.h"
#include "fabric/render/json_text.h"

namespace ferrule {

namespace {

constexpr auto kAsText = [](const auto& value) { return to_text(value); };

Json pci_json(const PciPlace& place) {
    return {{"address", optional_json(place.address, kAsText)},
            {"path", place.path},
            {"numa_node", optional_json(place.numa_node)}};
}

Json lid_json(const std::optional<Lid>& lid) {
    return optional_json(lid, [](Lid it) { return it.value; });
}

Json gids_json(const Port& port) {
    Json list = Json::array();
    for (const GidEntry& it : port.gids) {
        list.push_back({{"index", it.index},
                        {"gid", to_text(it.gid)},
                        {"type", optional_json(it.type, kAsText)},
                        {"netdev", it.netdev}});
    }
    return list;
}

Json port_json(const Port& port) {
    Json pkeys = Json::array();
    for (const PkeyEntry& it : port.pkeys) {
        pkeys.push_back({{"index", it.index}, {"pkey", to_text(it.pkey)}});
    }
    return {{"number", port.number},
            {"link_layer", to_text(port.link_layer)},
            {"state", optional_json(port.state, kAsText)},
            {"phys_state", optional_json(port.phys_state, kAsText)},
            {"rate", optional_json(port.rate, kAsText)},
            {"lid", lid_json(port.lid)},
            {"sm_lid", lid_json(port.sm_lid)},
            {"cap_mask", optional_json(port.cap_mask)},
            {"netdev", port.netdev},
            {"gid_table_size", port.gid_table_size},
            {"gids", gids_json(port)},
            {"pkeys", pkeys}};
}

Json hca_json(const Hca& hca) {
    Json ports = Json::array();
    for (const Port& port : hca.ports) {
        ports.push_back(port_json(port));
    }
    return {{"name", hca.name},
            {"node_type", to_text(hca.node_type)},
            {"function", to_text(hca.function)},
            {"node_guid", to_text(hca.node_guid)},
            {"sys_image_guid", to_text(hca.sys_image_guid)},
            {"node_desc", hca.node_desc},
            {"driver", hca.driver},
            {"firmware", hca.firmware},
            {"hca_type", hca.hca_type},
            {"board_id", hca.board_id},
            {"vendor_id", hca.vendor_id},
            {"device_id", hca.device_id},
            {"pci", pci_json(hca.pci)},
            {"physical_function", optional_json(hca.physical_function, kAsText)},
            {"uverbs", hca.uverbs},
            {"openable", hca.openable},
            {"ports", ports}};
}

Json netdev_json(const Netdev& netdev) {
    Json addresses = Json::array();
    for (const NetAddress& it : netdev.addresses) {
        addresses.push_back(to_text(it.address) + "/" + std::to_string(it.prefix_length));
    }
    Json json{{"name", netdev.name},
              {"ifindex", netdev.ifindex},
              {"kind", to_text(netdev.kind)},
              {"arp_type", netdev.arp_type},
              {"mac", netdev.mac},
              {"mtu", optional_json(netdev.mtu)},
              {"operstate", netdev.operstate},
              {"carrier", optional_json(netdev.carrier)},
              {"speed", optional_json(netdev.speed)},
              {"flags", optional_json(netdev.flags)},
              {"dev_port", netdev.dev_port},
              {"driver", netdev.driver},
              {"pci", pci_json(netdev.pci)},
              {"vlan_id", optional_json(netdev.vlan_id)},
              {"master", netdev.master},
              {"lower", netdev.lower},
              {"addresses", addresses}};
    json["bond"] = optional_json(netdev.bond, [](const Bond& bond) {
        return Json{
            {"mode", bond.mode}, {"members", bond.members}, {"active_member", bond.active_member}};
    });
    return json;
}

Json route_json(const Route& route) {
    return {{"destination", to_text(route.destination)},
            {"netdev", route.netdev},
            {"gateway", optional_json(route.gateway, kAsText)},
            {"source", optional_json(route.source, kAsText)},
            {"metric", route.metric}};
}

Json gpu_json(const Gpu& gpu) {
    return {{"pci", pci_json(gpu.pci)},
            {"vendor_id", gpu.vendor_id},
            {"minor", optional_json(gpu.minor)},
            {"uuid", gpu.uuid},
            {"model", gpu.model}};
}

template <typename T, typename Format>
Json list_json(const std::vector<T>& values, Format format) {
    Json list = Json::array();
    for (const T& value : values) {
        list.push_back(format(value));
    }
    return list;
}

}  // namespace

std::string snapshot_json(const NodeSnapshot& snapshot) {
    Json problems = Json::array();
    for (const ReadProblem& it : snapshot.problems) {
        problems.push_back({{"where", it.where}, {"errno", it.error_number}, {"what", it.what}});
    }
    return dumped({{"hostname", snapshot.hostname},
                   {"kernel", snapshot.kernel},
                   {"rdma_class", snapshot.rdma_class},
                   {"hcas", list_json(snapshot.hcas, hca_json)},
                   {"netdevs", list_json(snapshot.netdevs, netdev_json)},
                   {"routes", list_json(snapshot.routes, route_json)},
                   {"gpus", list_json(snapshot.gpus, gpu_json)},
                   {"problems", problems}});
}

}  // namespace ferrule
