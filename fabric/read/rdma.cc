#include "fabric/read/rdma.h"

#include "fabric/read/attributes.h"
#include "fabric/read/pci_ids.h"
#include "fabric/read/port_tables.h"
#include "fabric/read/rdma_health.h"
#include "fabric/read/rdma_port.h"

#include <map>

namespace ferrule {

namespace {

constexpr const char* kClass = "sys/class/infiniband";
constexpr const char* kVerbsClass = "sys/class/infiniband_verbs";

void record(std::vector<ReadProblem>& problems, std::string where, const Error& error) {
    problems.push_back({std::move(where), error.code.value(), error.code.message()});
}

// Calls `take` with the name of each verbs device and of its HCA until it says true.
template <typename Take>
void for_verbs_devices(const Dir& root, std::vector<ReadProblem>& problems, Take take) {
    const auto verbs_class = root.sub(kVerbsClass);
    const auto names = verbs_class ? verbs_class->list() : Result<std::vector<std::string>>{};
    if (!verbs_class || !names) {
        return;
    }
    const Attributes attributes{*verbs_class, kVerbsClass, problems};
    for (const std::string& name : *names) {
        // The class also has a plain file, abi_version.
        if (name.starts_with("uverbs") &&
            take(name, attributes.text_or_empty((name + "/ibdev").c_str()))) {
            return;
        }
    }
}

// The character device of every RDMA device.
std::map<std::string, std::string> verbs_devices(const Dir& root,
                                                 std::vector<ReadProblem>& problems) {
    std::map<std::string, std::string> by_hca;
    for_verbs_devices(root, problems, [&](const std::string& name, const std::string& hca) {
        by_hca[hca] = name;
        return false;
    });
    return by_hca;
}

// That of one; empty where it has none.
std::string verbs_device(const Dir& root, const std::string& wanted,
                         std::vector<ReadProblem>& problems) {
    std::string device;
    for_verbs_devices(root, problems, [&](const std::string& name, const std::string& hca) {
        device = hca == wanted ? name : std::string{};
        return hca == wanted;
    });
    return device;
}

std::optional<NodeType> parse_node_type(std::string_view text) {
    const auto number = parse_number<unsigned>(text.substr(0, 1));
    return number ? std::optional{static_cast<NodeType>(*number)} : std::nullopt;
}

FunctionKind function_of(const Hca& hca, std::string_view class_link) {
    if (class_link.find(".sf.") != std::string_view::npos) {
        return FunctionKind::SubFunction;
    }
    if (!hca.pci.address) {
        return FunctionKind::Software;
    }
    return hca.physical_function || is_mellanox_virtual_function(hca.vendor_id, hca.device_id)
               ? FunctionKind::Virtual
               : FunctionKind::Physical;
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

// One device of the class.
class DeviceReader {
  public:
    DeviceReader(const Dir& root, const Dir& rdma_class, const ReadRequest& request,
                 std::vector<ReadProblem>& problems)
        : root_{root}, class_{rdma_class}, request_{request}, problems_{problems} {}

    // Nothing, and a problem, when its directory cannot be entered.
    [[nodiscard]] std::optional<Hca> read(const std::string& name) const {
        const auto dir = class_.sub(name.c_str());
        const std::string where = std::string{kClass} + "/" + name;
        if (!dir) {
            record(problems_, where, dir.error());
            return std::nullopt;
        }
        const Attributes attributes{*dir, where, problems_};
        Hca hca{};
        hca.name = name;
        read_function(attributes, hca);
        read_identity(attributes, request_.depth, hca);
        hca.ports = read_ports(attributes, request_);
        if (request_.depth == Depth::Health) {
            read_rdma_health(root_, attributes, request_, hca);
        }
        return hca;
    }

  private:
    void read_function(const Attributes& attributes, Hca& hca) const {
        const std::string class_link = class_.link(hca.name.c_str()).value_or(std::string{});
        hca.node_type = attributes.value("node_type", parse_node_type).value_or(NodeType::Unknown);
        hca.driver = attributes.link_name("device/driver");
        hca.pci = pci_place_of_link(class_link);
        hca.vendor_id = attributes.number<std::uint16_t>("device/vendor").value_or(0);
        hca.device_id = attributes.number<std::uint16_t>("device/device").value_or(0);
        hca.pci.numa_node = known_numa_node(attributes.number<int>("device/numa_node"));
        if (request_.pci_links) {
            hca.max_link = parse_pci_link(attributes.text_or_empty("device/max_link_speed"),
                                          attributes.text_or_empty("device/max_link_width"));
        }
        hca.physical_function = parse_pci_address(attributes.link_name("device/physfn"));
        hca.function = function_of(hca, class_link);
    }

    const Dir& root_;
    const Dir& class_;
    const ReadRequest& request_;
    std::vector<ReadProblem>& problems_;
};

void take_uverbs(const Dir& root, const std::string& uverbs, Hca& hca) {
    hca.uverbs = uverbs;
    hca.openable = !uverbs.empty() && root.exists(("dev/infiniband/" + uverbs).c_str());
}

// Without the class there is no RDMA on this node, which is no problem.
Result<Dir> open_class(const Dir& root, std::vector<ReadProblem>& problems) {
    auto rdma_class = root.sub(kClass);
    if (!rdma_class && rdma_class.error().code != std::errc::no_such_file_or_directory) {
        record(problems, kClass, rdma_class.error());
    }
    return rdma_class;
}

std::vector<std::string> names_in(const Dir& rdma_class, std::vector<ReadProblem>& problems) {
    auto names = rdma_class.list();
    if (!names) {
        record(problems, kClass, names.error());
        return {};
    }
    return std::move(*names);
}

}  // namespace

std::vector<std::string> hca_names(const Dir& root, std::vector<ReadProblem>& problems) {
    const auto rdma_class = open_class(root, problems);
    return rdma_class ? names_in(*rdma_class, problems) : std::vector<std::string>{};
}

std::vector<std::string> rdma_netdevs(const Dir& root) {
    std::vector<std::string> netdevs;
    std::vector<ReadProblem> unsaid;
    const auto rdma_class = open_class(root, unsaid);
    const auto hcas = rdma_class ? names_in(*rdma_class, unsaid) : std::vector<std::string>{};
    for (const std::string& hca : hcas) {
        const auto ports = rdma_class->list((hca + "/ports").c_str());
        for (const std::string& port : ports ? *ports : std::vector<std::string>{}) {
            std::string row = hca;
            row.append("/ports/").append(port).append("/gid_attrs/ndevs/0");
            // An empty row has none.
            if (auto netdev = rdma_class->attribute(row.c_str()); netdev && !netdev->empty()) {
                netdevs.push_back(std::move(*netdev));
            }
        }
    }
    return netdevs;
}

Hca read_hca(const Dir& root, const std::string& name, const ReadRequest& request,
             std::vector<ReadProblem>& problems) {
    Hca unread{};
    unread.name = name;
    const auto rdma_class = open_class(root, problems);
    if (!rdma_class) {
        return unread;
    }
    auto hca = DeviceReader{root, *rdma_class, request, problems}.read(name);
    if (!hca) {
        return unread;
    }
    take_uverbs(root, verbs_device(root, name, problems), *hca);
    return std::move(*hca);
}

std::vector<Hca> read_hcas(const Dir& root, const ReadRequest& request,
                           std::vector<ReadProblem>& problems) {
    std::vector<Hca> hcas;
    const auto rdma_class = open_class(root, problems);
    if (!rdma_class) {
        return hcas;
    }
    const std::vector<std::string> names = names_in(*rdma_class, problems);
    const auto uverbs = verbs_devices(root, problems);
    const DeviceReader reader{root, *rdma_class, request, problems};
    hcas.reserve(names.size());
    for (const std::string& name : names) {
        if (auto hca = reader.read(name)) {
            if (const auto found = uverbs.find(name); found != uverbs.end()) {
                take_uverbs(root, found->second, *hca);
            }
            hcas.push_back(std::move(*hca));
        }
    }
    return hcas;
}

}  // namespace ferrule
