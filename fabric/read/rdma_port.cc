#include "fabric/read/rdma_port.h"

#include "fabric/read/port_tables.h"

namespace ferrule {

namespace {

Port read_port(const Attributes& attributes, unsigned number, const ReadRequest& request) {
    Port port{};
    port.number = number;
    port.link_layer = parse_link_layer(attributes.text_or_empty("link_layer"));
    port.state = attributes.value("state", parse_port_state);
    port.phys_state = attributes.value("phys_state", parse_phys_state);
    port.rate = attributes.value("rate", parse_link_rate);
    const auto lid = [](std::optional<std::uint16_t> value) {
        return value ? std::optional{Lid{*value}} : std::nullopt;
    };
    if (request.depth != Depth::Plan || port.link_layer == LinkLayer::InfiniBand) {
        port.lid = lid(attributes.number<std::uint16_t>("lid"));
    }
    if (request.depth != Depth::Plan) {
        port.sm_lid = lid(attributes.number<std::uint16_t>("sm_lid"));
        port.cap_mask = attributes.number<std::uint32_t>("cap_mask");
    }
    // A plan never looks into the tables of a port that cannot be a rail.
    if (request.depth != Depth::Plan || port.state == PortState::Active) {
        read_port_tables(attributes.dir(), attributes, request, port);
    }
    return port;
}

// RoCE names the netdev in the GID table; else it is the device's own, found by its port number.
std::string netdev_of_port(const Dir& hca_dir, std::size_t ports, const Port& port) {
    for (const GidEntry& entry : port.gids) {
        if (!entry.netdev.empty()) {
            return entry.netdev;
        }
    }
    const auto netdevs = hca_dir.list("device/net");
    if (!netdevs || netdevs->empty()) {
        return {};
    }
    if (ports == 1 && netdevs->size() == 1) {
        return netdevs->front();
    }
    for (const std::string& name : *netdevs) {
        const std::string path = "device/net/" + name;
        const auto dev_port = hca_dir.attribute((path + "/dev_port").c_str());
        const bool child = hca_dir.exists((path + "/parent").c_str());
        if (dev_port && !child && *dev_port == std::to_string(port.number - 1)) {
            return name;
        }
    }
    return {};
}

}  // namespace

std::vector<Port> read_ports(const Attributes& hca, const ReadRequest& request) {
    std::vector<Port> ports;
    const auto names = hca.dir().list("ports");
    if (!names) {
        hca.problem("ports", names.error());
        return ports;
    }
    ports.reserve(names->size());
    for (const std::string& name : *names) {
        const std::string path = "ports/" + name;
        const auto number = parse_number<unsigned>(name);
        const auto dir = hca.dir().sub(path.c_str());
        if (number && dir) {
            ports.push_back(read_port(hca.below(*dir, path), *number, request));
        } else if (!dir) {
            hca.problem(path.c_str(), dir.error());
        }
    }
    for (Port& port : ports) {
        port.netdev = netdev_of_port(hca.dir(), ports.size(), port);
    }
    return ports;
}

}  // namespace ferrule
