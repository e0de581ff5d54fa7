// Which PCI functions an RDMA driver could serve.
#include "fabric/read/rdma_functions.h"

#include "fabric/read/node.h"
#include "tests/support/catch.h"
#include "tests/support/machine.h"

#include <algorithm>
#include <cerrno>
#include <filesystem>

using namespace ferrule;
using namespace ferrule::testing;

namespace {

const std::string kDevices = "sys/bus/pci/devices/";

struct Function {
    const char* address;
    const char* pci_class;
    const char* vendor;
    const char* device;
};

void write(const TemporaryDirectory& tree, const Function& function) {
    const std::string folder = kDevices + function.address + "/";
    tree.write(folder + "class", std::string{function.pci_class} + "\n");
    tree.write(folder + "vendor", std::string{function.vendor} + "\n");
    tree.write(folder + "device", std::string{function.device} + "\n");
}

std::vector<RdmaFunction> functions_of(const std::string& tree,
                                       std::vector<ReadProblem>& problems) {
    return read_rdma_functions(Dir::open(tree).value(), problems);
}

std::vector<std::string> addresses_of(const TemporaryDirectory& tree) {
    std::vector<ReadProblem> problems;
    std::vector<std::string> addresses;
    for (const RdmaFunction& function : functions_of(tree.path(), problems)) {
        addresses.push_back(to_text(function.address));
    }
    CHECK(problems.empty());
    return addresses;
}

}  // namespace

TEST_CASE("adapters that come with RDMA are taken, others are not") {
    TemporaryDirectory tree;
    for (const Function& function : {
             Function{"0000:01:00.0", "0x020000", "0x15b3", "0x1021"},  // ConnectX-7
             {"0000:02:00.0", "0x020700", "0x15b3", "0x1021"},          // the same as InfiniBand
             {"0000:03:00.0", "0x020000", "0x15b3", "0x1003"},          // ConnectX-3
             {"0000:04:00.0", "0x020000", "0x15b3", "0xa2dc"},          // BlueField-3
             {"0000:05:00.0", "0x028000", "0x1d0f", "0xefa2"},          // EFA
             {"0000:06:00.0", "0x020700", "0x1077", "0x7322"},          // QLogic InfiniBand
             {"0000:07:00.0", "0x020700", "0x15b3", "0x101e"},          // virtual, in a guest
             {"0000:08:00.0", "0x020000", "0x15b3", "0x101e"},          // the same as Ethernet
             {"0000:09:00.0", "0x020000", "0x1d0f", "0xec20"},          // Amazon's ENA
             {"0000:0a:00.0", "0x020000", "0x14e4", "0x1751"},          // Broadcom
             {"0000:0b:00.0", "0x020000", "0x15b3", "0x1002"},          // ConnectX-2, virtual
             {"0000:0c:00.0", "0x060400", "0x15b3", "0x1976"},          // a bridge of Mellanox
             {"0000:0d:00.0", "0x0c0000", "0x15b3", "0xa2dc"},          // BlueField's manager
         }) {
        write(tree, function);
    }
    CHECK(addresses_of(tree) ==
          std::vector<std::string>{"0000:01:00.0", "0000:02:00.0", "0000:03:00.0", "0000:04:00.0",
                                   "0000:05:00.0", "0000:06:00.0", "0000:07:00.0"});
}

TEST_CASE("virtual functions of a host are for its guests") {
    TemporaryDirectory tree;
    write(tree, {"0000:01:00.2", "0x020700", "0x15b3", "0x101e"});
    std::filesystem::create_symlink("../0000:01:00.0",
                                    tree.path() + "/" + kDevices + "0000:01:00.2/physfn");
    CHECK(addresses_of(tree).empty());
}

TEST_CASE("a function without a driver is there all the same") {
    TemporaryDirectory tree;
    write(tree, {"0000:01:00.0", "0x020000", "0x15b3", "0x1021"});
    write(tree, {"0000:01:00.1", "0x020000", "0x15b3", "0x1021"});
    std::filesystem::create_symlink("../../../../bus/pci/drivers/mlx5_core",
                                    tree.path() + "/" + kDevices + "0000:01:00.1/driver");
    std::vector<ReadProblem> problems;
    const auto functions = functions_of(tree.path(), problems);
    REQUIRE(functions.size() == 2);
    CHECK(functions[0] == RdmaFunction{{0, 1, 0, 0}, 0x15b3, 0x1021, ""});
    CHECK(functions[1].driver == "mlx5_core");
}

TEST_CASE("without PCI there are none, and what cannot be read is a problem") {
    TemporaryDirectory tree;
    std::vector<ReadProblem> problems;
    CHECK(functions_of(tree.path(), problems).empty());
    CHECK(problems.empty());
    write(tree, {"0000:01:00.0", "network", "0x15b3", "0x1021"});
    tree.write(kDevices + "0000:02:00.0/class/is a directory", "");
    write(tree, {"not an address", "0x020700", "0x15b3", "0x1021"});
    CHECK(functions_of(tree.path(), problems).empty());
    REQUIRE(problems.size() == 2);
    CHECK(problems[0].what == "\"network\" not understood");
    CHECK(problems[1].error_number == EISDIR);
}

TEST_CASE("a whole node has the functions of its adapters, for a health check only") {
    ReadRequest request{};
    const std::string& tree = machine_tree("dgx-h100-ib");
    CHECK(read_node(tree, Source::Captured, request)->rdma_functions.empty());
    request.depth = Depth::Health;
    const NodeSnapshot snapshot = read_node(tree, Source::Captured, request).value();
    CHECK(snapshot.rdma_functions.size() >= 8);
    CHECK(std::ranges::all_of(snapshot.rdma_functions, [](const RdmaFunction& function) {
        return function.vendor_id == 0x15b3 && function.driver == "mlx5_core";
    }));
    CHECK(snapshot.problems.empty());
}
