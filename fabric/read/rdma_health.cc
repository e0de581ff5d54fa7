#include "fabric/read/rdma_health.h"

#include "fabric/read/counters.h"
#include "fabric/read/pci_health.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

namespace ferrule {

namespace {

void read_port_counters(const Attributes& at, const ReadRequest& request, Port& port) {
    const std::string path = "ports/" + std::to_string(port.number);
    // One that has just gone is a problem of read_ports.
    if (const auto dir = at.dir().sub(path.c_str())) {
        const Attributes files = at.below(*dir, path);
        port.counters = read_counters(files, "counters", request.refused);
        port.hw_counters = read_counters(files, "hw_counters", request.refused);
    }
}

// The module that makes RDMA devices of a PCI driver's functions; of most it is the driver itself.
// "mlx5_core.sf", on the auxiliary bus, is a part of mlx5_core.
std::string module_of(const std::string& driver) {
    constexpr std::array<std::pair<std::string_view, std::string_view>, 4> kOthers{
        {{"bnxt_en", "bnxt_re"}, {"ice", "irdma"}, {"i40e", "irdma"}, {"ionic", "ionic_rdma"}}};
    const std::string module = driver.substr(0, driver.find('.'));
    const auto* const other =
        std::ranges::find(kOthers, module, &std::pair<std::string_view, std::string_view>::first);
    return other == kOthers.end() ? module : std::string{other->second};
}

// Somebody with root's rights makes the directory, and so this only looks whether it is there.
void read_cm_defaults(const Attributes& root, Hca& hca) {
    const std::string where = "sys/kernel/config/rdma_cm/" + hca.name + "/ports";
    const auto ports = root.dir().sub(where.c_str());
    if (!ports) {
        if (ports.error().code != std::errc::no_such_file_or_directory) {
            root.problem(where.c_str(), ports.error());
        }
        return;
    }
    const Attributes files = root.below(*ports, where);
    for (Port& port : hca.ports) {
        const std::string folder = std::to_string(port.number);
        const bool infiniband = port.link_layer == LinkLayer::InfiniBand;
        port.cm_gid_type =
            files.value((folder + "/default_roce_mode").c_str(),
                        [&](std::string_view text) { return parse_gid_type(text, infiniband); });
        port.cm_tos = files.number<std::uint8_t>((folder + "/default_roce_tos").c_str());
    }
}

}  // namespace

void read_rdma_health(const Dir& dir, const Attributes& at, const ReadRequest& request, Hca& hca) {
    const Attributes root{dir, {}, at.problems()};
    if (!hca.driver.empty()) {
        hca.driver_version =
            root.text_or_empty(("sys/module/" + module_of(hca.driver) + "/version").c_str());
    }
    read_cm_defaults(root, hca);
    if (hca.pci.address) {
        hca.pcie = read_pci_health(dir, hca.pci, at.problems());
    }
    hca.hw_counters = read_counters(at, "hw_counters", request.refused).value_or(Counters{});
    for (Port& port : hca.ports) {
        read_port_counters(at, request, port);
    }
}

}  // namespace ferrule
