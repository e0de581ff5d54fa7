#include "fabric/read/rdma.h"

#include "fabric/read/attributes.h"
#include "fabric/read/port_tables.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <map>

namespace ferrule {

namespace {

constexpr const char* kClass = "sys/class/infiniband";
constexpr const char* kVerbsClass = "sys/class/infiniband_verbs";

// The character device of every RDMA device.
std::map<std::string, std::string> verbs_devices(const Dir& root,
                                                 std::vector<ReadProblem>& problems) {
    std::map<std::string, std::string> by_hca;
    const auto verbs_class = root.sub(kVerbsClass);
    const auto names = verbs_class ? verbs_class->list() : Result<std::vector<std::string>>{};
    if (!verbs_class || !names) {
        return by_hca;
    }
    const Attributes attributes{*verbs_class, kVerbsClass, problems};
    for (const std::string& name : *names) {
        // The class also has a plain file, abi_version.
        if (name.starts_with("uverbs")) {
            by_hca[attributes.text_or_empty((name + "/ibdev").c_str())] = name;
        }
    }
    return by_hca;
}

// A virtual function in a guest has no physfn link, but its device number tells.
constexpr std::uint16_t kMellanox = 0x15b3;

bool is_mellanox_virtual_function(const Hca& hca) {
    constexpr std::array<std::uint16_t, 7> kDevices{0x1014, 0x1016, 0x1018, 0x101a,
                                                    0x101c, 0x101e, 0xa2d3};
    return hca.vendor_id == kMellanox && std::ranges::count(kDevices, hca.device_id) > 0;
}

FunctionKind function_of(const Hca& hca, std::string_view class_link) {
    if (class_link.find(".sf.") != std::string_view::npos) {
        return FunctionKind::SubFunction;
    }
    if (!hca.pci.address) {
        return FunctionKind::Software;
    }
    return hca.physical_function || is_mellanox_virtual_function(hca) ? FunctionKind::Virtual
                                                                      : FunctionKind::Physical;
}

Port read_port(const Dir& dir, unsigned number, const std::string& where,
               const ReadRequest& request, std::vector<ReadProblem>& problems) {
    const Attributes attributes{dir, where, problems};
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
        read_port_tables(dir, attributes, request, port);
    }
    return port;
}

// RoCE names the netdev in the GID table; else it is the device's own, found by its port number.
std::string netdev_of_port(const Dir& hca_dir, const Hca& hca, const Port& port) {
    for (const GidEntry& entry : port.gids) {
        if (!entry.netdev.empty()) {
            return entry.netdev;
        }
    }
    const auto netdevs = hca_dir.list("device/net");
    if (!netdevs || netdevs->empty()) {
        return {};
    }
    if (hca.ports.size() == 1 && netdevs->size() == 1) {
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

void record(std::vector<ReadProblem>& problems, std::string where, const Error& error) {
    problems.push_back({std::move(where), error.code.value(), error.code.message()});
}

std::vector<Port> read_ports(const Dir& hca_dir, const std::string& where,
                             const ReadRequest& request, std::vector<ReadProblem>& problems) {
    std::vector<Port> ports;
    const std::string folder = where + "/ports";
    const auto names = hca_dir.list("ports");
    if (!names) {
        record(problems, folder, names.error());
        return ports;
    }
    for (const std::string& name : *names) {
        const std::string port_where = fmt::format("{}/{}", folder, name);
        const auto number = parse_number<unsigned>(name);
        const auto dir = hca_dir.sub(fmt::format("ports/{}", name).c_str());
        if (number && dir) {
            ports.push_back(read_port(*dir, *number, port_where, request, problems));
        } else if (!dir) {
            record(problems, port_where, dir.error());
        }
    }
    return ports;
}

void read_identity(const Attributes& attributes, Depth depth, Hca& hca) {
    hca.board_id = attributes.text_or_empty("board_id");
    if (depth == Depth::Plan) {
        return;
    }
    hca.node_guid = attributes.value("node_guid", parse_guid).value_or(Guid{});
    hca.sys_image_guid = attributes.value("sys_image_guid", parse_guid).value_or(Guid{});
    hca.node_desc = attributes.text_or_empty("node_desc");
    hca.firmware = attributes.text_or_empty("fw_ver");
    hca.hca_type = attributes.text_or_empty("hca_type");
}

Hca read_hca(const Dir& hca_dir, const std::string& name, const std::string& class_link,
             const ReadRequest& request, std::vector<ReadProblem>& problems) {
    const std::string where = std::string{kClass} + "/" + name;
    const Attributes attributes{hca_dir, where, problems};
    Hca hca{};
    hca.name = name;
    hca.node_type =
        attributes
            .value("node_type",
                   [](std::string_view text) -> std::optional<NodeType> {
                       const auto number = parse_number<unsigned>(text.substr(0, 1));
                       return number ? std::optional{static_cast<NodeType>(*number)} : std::nullopt;
                   })
            .value_or(NodeType::Unknown);
    hca.driver = attributes.link_name("device/driver");
    hca.pci = pci_place_of_link(class_link);
    hca.vendor_id = attributes.number<std::uint16_t>("device/vendor").value_or(0);
    hca.device_id = attributes.number<std::uint16_t>("device/device").value_or(0);
    hca.pci.numa_node = known_numa_node(attributes.number<int>("device/numa_node"));
    if (request.pci_links) {
        hca.max_link = parse_pci_link(attributes.text_or_empty("device/max_link_speed"),
                                      attributes.text_or_empty("device/max_link_width"));
    }
    hca.physical_function = parse_pci_address(attributes.link_name("device/physfn"));
    hca.function = function_of(hca, class_link);
    read_identity(attributes, request.depth, hca);
    hca.ports = read_ports(hca_dir, where, request, problems);
    for (Port& port : hca.ports) {
        port.netdev = netdev_of_port(hca_dir, hca, port);
    }
    return hca;
}

}  // namespace

std::vector<Hca> read_hcas(const Dir& root, const ReadRequest& request,
                           std::vector<ReadProblem>& problems) {
    std::vector<Hca> hcas;
    const auto rdma_class = root.sub(kClass);
    if (!rdma_class) {
        // Without the class there is no RDMA on this node.
        if (rdma_class.error().code != std::errc::no_such_file_or_directory) {
            record(problems, kClass, rdma_class.error());
        }
        return hcas;
    }
    const auto names = rdma_class->list();
    if (!names) {
        record(problems, kClass, names.error());
        return hcas;
    }
    const auto uverbs = verbs_devices(root, problems);
    for (const std::string& name : *names) {
        const auto dir = rdma_class->sub(name.c_str());
        if (!dir) {
            record(problems, std::string{kClass} + "/" + name, dir.error());
            continue;
        }
        const std::string class_link = rdma_class->link(name.c_str()).value_or(std::string{});
        Hca hca = read_hca(*dir, name, class_link, request, problems);
        if (const auto found = uverbs.find(name); found != uverbs.end()) {
            hca.uverbs = found->second;
            hca.openable = root.exists(("dev/infiniband/" + hca.uverbs).c_str());
        }
        hcas.push_back(std::move(hca));
    }
    return hcas;
}

}  // namespace ferrule
