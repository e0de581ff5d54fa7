#include "fabric/model/pci.h"

#include "tests/support/catch.h"

using namespace ferrule;

namespace {

PciPlace place(const std::string& path, std::optional<int> numa_node = {}) {
    PciPlace it = pci_place_of_link("../../devices/" + path + "/net/x");
    it.numa_node = numa_node;
    return it;
}

}  // namespace

TEST_CASE("a PCI address reads as sysfs and nvidia-smi print it") {
    CHECK(to_text(*parse_pci_address("0000:18:00.0")) == "0000:18:00.0");
    CHECK(parse_pci_address("00000000:9D:00.0") == parse_pci_address("0000:9d:00.0"));
    CHECK(parse_pci_address("7a1c:00:02.0")->domain == 0x7a1c);
    for (const char* bad :
         {"", "18:00.0", "0000:18:20.0", "0000:18:00.8", "0000:18:00:0", "0000:18:0.0"}) {
        CHECK_FALSE(parse_pci_address(bad));
    }
}

TEST_CASE("the place of a device is its way down from the host bridge") {
    const PciPlace nic = place("pci0000:15/0000:15:01.0/0000:16:00.0/0000:18:00.0");
    CHECK(nic.path ==
          std::vector<std::string>{"pci0000:15", "0000:15:01.0", "0000:16:00.0", "0000:18:00.0"});
    CHECK(nic.address == parse_pci_address("0000:18:00.0"));
    CHECK(place("virtual").path.empty());
    // A sub-function sits below its PCI function, a hypervisor's bus above the host bridge.
    CHECK(place("pci0000:15/0000:18:00.0/mlx5_core.sf.2").address ==
          parse_pci_address("0000:18:00.0"));
    CHECK(place("LNXSYSTM:00/MSFT1000:00/pci0101:00/0101:00:00.0").path.front() == "pci0101:00");
}

TEST_CASE("distance grows from one switch to another NUMA node") {
    const PciPlace nic = place("pci0000:15/0000:15:01.0/0000:16:00.0/0000:17:00.0/0000:18:00.0", 0);
    CHECK(distance(nic, place("pci0000:15/0000:15:01.0/0000:16:00.0/0000:17:04.0/0000:19:00.0")) ==
          PciDistance::Pix);
    CHECK(distance(nic, place("pci0000:15/0000:15:01.0/0000:16:00.0/0000:17:04.0/0000:1a:00.0/"
                              "0000:1b:00.0/0000:1c:00.0")) == PciDistance::Pxb);
    CHECK(distance(nic, place("pci0000:15/0000:15:02.0/0000:30:00.0")) == PciDistance::Phb);
    CHECK(distance(nic, place("pci0000:37/0000:37:01.0/0000:38:00.0", 0)) == PciDistance::Node);
    CHECK(distance(nic, place("pci0000:97/0000:97:01.0/0000:98:00.0", 1)) == PciDistance::System);
    // Two unknown NUMA nodes are not the same node.
    CHECK(distance(place("pci0000:01/0000:02:00.0"), place("pci0000:03/0000:04:00.0")) ==
          PciDistance::System);
}
