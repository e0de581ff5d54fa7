// Whole nodes: captured trees, broken trees, and this machine.
#include "fabric/read/node.h"

#include "tests/support/catch.h"
#include "tests/support/machine.h"

#include <algorithm>
#include <filesystem>

using namespace ferrule;
using namespace ferrule::testing;

namespace {

NodeSnapshot read_tree(const std::string& tree, const ReadRequest& request = {}) {
    return read_node(tree, Source::Captured, request).value();
}

const Hca& hca_named(const NodeSnapshot& snapshot, std::string_view name) {
    const auto found = std::ranges::find(snapshot.hcas, name, &Hca::name);
    REQUIRE(found != snapshot.hcas.end());
    return *found;
}

}  // namespace

TEST_CASE("every machine of the collection reads without a problem, but for unreadable ones") {
    for (const std::string& machine : machine_names()) {
        INFO(machine);
        CHECK((read_tree(machine_tree(machine)).problems.empty() ||
               machine.ends_with("-unreadable")));
    }
}

TEST_CASE("a RoCE port has its GID rows with type and netdev") {
    const NodeSnapshot snapshot = read_tree(machine_tree("oci-h100-roce"));
    const Port& port = hca_named(snapshot, "mlx5_0").ports.front();
    CHECK(port.link_layer == LinkLayer::Ethernet);
    CHECK(port.gid_table_size == 256);
    REQUIRE(port.gids.size() == 4);
    CHECK(port.gids[3].index == 3);
    CHECK(port.gids[3].type == GidType::RoceV2);
    CHECK(port.gids[3].netdev == port.netdev);
    CHECK(port.gids[3].gid.ipv4_mapped());
}

TEST_CASE("functions are told apart: physical, virtual, on the host and in a guest") {
    CHECK(hca_named(read_tree(machine_tree("dgx-h100-ib")), "mlx5_0").function ==
          FunctionKind::Physical);
    const NodeSnapshot host = read_tree(machine_tree("h100-roce-flat-169"));
    CHECK(hca_named(host, "mlx5_2").function == FunctionKind::Virtual);
    CHECK(hca_named(host, "mlx5_2").physical_function == parse_pci_address("0000:18:00.0"));
    const NodeSnapshot guest = read_tree(machine_tree("b300-roce-ipv6"));
    CHECK(hca_named(guest, "mlx5_0").function == FunctionKind::Virtual);
    CHECK_FALSE(hca_named(guest, "mlx5_0").physical_function);
}

TEST_CASE("bonds, VLANs and their members are linked") {
    const NodeSnapshot snapshot = read_tree(machine_tree("h20-roce-bond"));
    const auto device = [&](std::string_view name) {
        return *std::ranges::find(snapshot.netdevs, name, &Netdev::name);
    };
    CHECK(device("bond0").kind == NetdevKind::Bond);
    REQUIRE(device("bond0").bond);
    CHECK(device("bond0").bond->members.size() == 2);
    CHECK(device(device("bond0").bond->members.front()).master == "bond0");
    CHECK(device("bond4.2093").kind == NetdevKind::Vlan);
    CHECK(device("bond4.2093").vlan_id == 2093U);
    CHECK(device("bond4.2093").lower == std::vector<std::string>{"bond4"});
    CHECK(device("lo").kind == NetdevKind::Loopback);
}

TEST_CASE("GPUs come in the order of their minor numbers") {
    const NodeSnapshot snapshot = read_tree(machine_tree("dgx-h100-ib"));
    REQUIRE(snapshot.gpus.size() == 8);
    for (unsigned minor = 0; minor < 8; ++minor) {
        CHECK(snapshot.gpus[minor].minor == minor);
        CHECK(snapshot.gpus[minor].uuid.starts_with("GPU-"));
    }
}

TEST_CASE("without NVIDIA's driver GPUs are found by PCI class") {
    TemporaryDirectory tree;
    std::filesystem::copy(
        machine_tree("dgx-h100-ib"), tree.path() + "/copy",
        std::filesystem::copy_options::recursive | std::filesystem::copy_options::copy_symlinks);
    std::filesystem::remove_all(tree.path() + "/copy/proc/driver");
    const NodeSnapshot snapshot = read_tree(tree.path() + "/copy");
    CHECK(snapshot.gpus.size() == 8);
    CHECK_FALSE(snapshot.gpus.front().minor);
}

TEST_CASE("a plan reads less and decides the same about rows it needs") {
    ReadRequest plan{};
    plan.depth = Depth::Plan;
    const std::string& tree = machine_tree("oci-h100-roce");
    const NodeSnapshot brief = read_tree(tree, plan);
    const NodeSnapshot full = read_tree(tree);
    REQUIRE(brief.hcas.size() == full.hcas.size());
    CHECK(hca_named(brief, "mlx5_0").ports.front().gids ==
          hca_named(full, "mlx5_0").ports.front().gids);
    CHECK(hca_named(brief, "mlx5_0").ports.front().gid_table_size == 0);
    CHECK(hca_named(brief, "mlx5_0").firmware.empty());
}

TEST_CASE("one unreadable file is one problem and the rest is read") {
    TemporaryDirectory tree;
    const std::string hca = "sys/class/infiniband/mlx5_0/";
    tree.write(hca + "node_type", "1: CA\n");
    tree.write(hca + "ports/1/state/is a directory", "");
    tree.write(hca + "ports/1/rate", "fast\n");
    tree.write(hca + "ports/1/phys_state", "5: LinkUp\n");
    tree.write(hca + "ports/1/link_layer", "InfiniBand\n");
    tree.write(hca + "ports/1/gids/0", "no GID at all\n");
    tree.write(hca + "ports/1/pkeys/0", "0xffff\n");
    tree.write("sys/class/net/lo/ifindex", "1\n");
    tree.write("ferrule/ip-address", "");
    tree.write("ferrule/ip-route", "");
    const NodeSnapshot snapshot = read_tree(tree.path());
    REQUIRE(snapshot.hcas.size() == 1);
    const Port& port = snapshot.hcas.front().ports.front();
    CHECK_FALSE(port.state);
    CHECK_FALSE(port.rate);
    CHECK(port.phys_state == PhysState::LinkUp);
    CHECK(port.pkeys == std::vector<PkeyEntry>{{0, Pkey{0xffff}}});
    REQUIRE(snapshot.problems.size() == 3);
    CHECK(snapshot.problems[0].where == "sys/class/infiniband/mlx5_0/ports/1/state");
    CHECK(snapshot.problems[0].error_number == EISDIR);
    CHECK(snapshot.problems[1].what == "\"fast\" not understood");
    CHECK(snapshot.problems[2].where == "sys/class/infiniband/mlx5_0/ports/1/gids/0");
}

TEST_CASE("a folder without sysfs is no node, and a node without devices is one") {
    TemporaryDirectory tree;
    CHECK_FALSE(read_node(tree.path(), Source::Captured, {}));
    std::filesystem::create_directories(tree.path() + "/sys/class");
    const NodeSnapshot snapshot = read_tree(tree.path());
    CHECK_FALSE(snapshot.rdma_class);
    CHECK(snapshot.hcas.empty());
    CHECK(snapshot.gpus.empty());
}

TEST_CASE("a root that does not exist is an error that names it") {
    const auto snapshot = read_node("/no/such/root", Source::Captured, {});
    REQUIRE_FALSE(snapshot);
    CHECK(snapshot.error().text == "/no/such/root: No such file or directory");
}

TEST_CASE("a multiport device with ports above nine reads whole") {
    TemporaryDirectory tree;
    for (unsigned port = 1; port <= 12; ++port) {
        const std::string dir = "sys/class/infiniband/roce_r0/ports/" + std::to_string(port) + "/";
        tree.write(dir + "state", port % 3 == 0 ? "4: ACTIVE\n" : "1: DOWN\n");
        tree.write(dir + "link_layer", "Ethernet\n");
    }
    tree.write("sys/class/infiniband/roce_r0/device/net/eth_r0_p3/dev_port", "11\n");
    tree.write("sys/class/infiniband/roce_r0/device/net/eth_r0_p0/dev_port", "2\n");
    const NodeSnapshot snapshot = read_tree(tree.path());
    REQUIRE(snapshot.hcas.front().ports.size() == 12);
    CHECK(snapshot.hcas.front().ports[11].number == 12);
    CHECK(snapshot.hcas.front().ports[11].netdev == "eth_r0_p3");
    CHECK(snapshot.hcas.front().ports[2].netdev == "eth_r0_p0");
    CHECK(snapshot.hcas.front().ports[3].netdev.empty());
}

TEST_CASE("peers are found in the tree's hosts file, and loopback is no way to a peer") {
    TemporaryDirectory tree;
    std::filesystem::create_directories(tree.path() + "/sys/class");
    tree.write("etc/hosts", "127.0.1.1 n2\n10.77.0.12 n2.cluster n2 # second node\nnonsense\n");
    ReadRequest request{};
    request.peers = {{"n2", {}, {}, {}}, {"n3", {}, {}, {}}};
    const NodeSnapshot snapshot = read_tree(tree.path(), request);
    CHECK(snapshot.peers[0].address == parse_ip("10.77.0.12"));
    CHECK_FALSE(snapshot.peers[1].address);
}

TEST_CASE("the live root is told by what it is, not by its spelling") {
    CHECK(source_of("/") == Source::Live);
    CHECK(source_of("//") == Source::Live);
    CHECK(source_of("/usr/..") == Source::Live);
    CHECK(source_of("/usr") == Source::Captured);
}

TEST_CASE("this machine's own kernel answers for addresses, routes and a peer") {
    ReadRequest request{};
    request.peers = {{"here", parse_ip("127.0.0.1"), {}, {}}};
    const NodeSnapshot snapshot = read_node("/", Source::Live, request).value();
    const auto lo = std::ranges::find(snapshot.netdevs, "lo", &Netdev::name);
    REQUIRE(lo != snapshot.netdevs.end());
    CHECK(std::ranges::any_of(
        lo->addresses, [](const NetAddress& it) { return it.address == parse_ip("127.0.0.1"); }));
    CHECK(std::ranges::none_of(snapshot.problems, [](const ReadProblem& it) {
        return it.where.starts_with("rtnetlink");
    }));
}
