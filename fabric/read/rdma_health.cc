#include "fabric/read/rdma_health.h"

#include "fabric/read/counters.h"
#include "fabric/read/pci_health.h"

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

}  // namespace

void read_rdma_health(const Dir& root, const Attributes& at, const ReadRequest& request, Hca& hca) {
    if (hca.pci.address) {
        hca.pcie = read_pci_health(root, hca.pci, at.problems());
    }
    hca.hw_counters = read_counters(at, "hw_counters", request.refused).value_or(Counters{});
    for (Port& port : hca.ports) {
        read_port_counters(at, request, port);
    }
}

}  // namespace ferrule
