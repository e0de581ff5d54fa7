// Readers of single devices: each alone says what the whole node's reader says of it.
#include "fabric/read/netdevs.h"
#include "fabric/read/rdma.h"
#include "tests/support/catch.h"
#include "tests/support/machine.h"

using namespace ferrule;
using namespace ferrule::testing;

TEST_CASE("each RDMA device read alone is the one that a whole node has") {
    for (const char* machine : {"oci-h100-roce", "h20-roce-bond", "p5-efa", "broadcom-roce"}) {
        INFO(machine);
        const Dir root = Dir::open(machine_tree(machine)).value();
        for (const Depth depth : {Depth::Plan, Depth::Full, Depth::Health}) {
            ReadRequest request{};
            request.depth = depth;
            std::vector<ReadProblem> problems;
            std::vector<Hca> alone;
            for (const std::string& name : hca_names(root, problems)) {
                alone.push_back(read_hca(root, name, request, problems));
            }
            CHECK(alone == read_hcas(root, request, problems));
            CHECK_FALSE(alone.empty());
            CHECK(problems.empty());
        }
    }
}

TEST_CASE("each netdev read alone is the one that a whole node has") {
    const Dir root = Dir::open(machine_tree("h20-roce-bond")).value();
    for (const Depth depth : {Depth::Plan, Depth::Full, Depth::Health}) {
        std::vector<ReadProblem> problems;
        std::vector<Netdev> alone;
        for (const std::string& name : netdev_names(root, problems)) {
            alone.push_back(read_netdev(root, name, depth, problems));
        }
        CHECK(alone == read_netdevs(root, depth, problems));
        CHECK_FALSE(alone.empty());
        CHECK(problems.empty());
    }
}

TEST_CASE("the interfaces of RDMA ports are those that their GID tables name") {
    const auto netdevs_of = [](const char* machine) {
        return rdma_netdevs(Dir::open(machine_tree(machine)).value());
    };
    CHECK(netdevs_of("vm-soft-roce") == std::vector<std::string>{"eth1"});
    CHECK(netdevs_of("h20-roce-bond").front() == "bond0");
    CHECK(netdevs_of("no-hca").empty());
}

TEST_CASE("what the kernel keeps of an interface is all but carrier, speed and bond") {
    const Dir root = Dir::open(machine_tree("h20-roce-bond")).value();
    std::vector<ReadProblem> problems;
    auto all = read_netdevs(root, Depth::Full, problems);
    for (Netdev& netdev : all) {
        netdev.carrier = {};
        netdev.speed = {};
        netdev.bond = {};
    }
    auto kept = read_kept_netdevs(root, problems);
    for (Netdev& netdev : kept) {
        netdev.carrier_downs = {};
    }
    CHECK(kept == all);
    CHECK(problems.empty());
}

TEST_CASE("a device that has just gone is a problem and a name") {
    const Dir root = Dir::open(machine_tree("oci-h100-roce")).value();
    std::vector<ReadProblem> problems;
    Hca gone{};
    gone.name = "mlx5_99";
    CHECK(read_hca(root, "mlx5_99", {}, problems) == gone);
    REQUIRE(problems.size() == 1);
    CHECK(problems[0].where == "sys/class/infiniband/mlx5_99");
    CHECK(problems[0].error_number == ENOENT);
    CHECK(read_netdev(root, "eth99", Depth::Full, problems).name == "eth99");
    REQUIRE(problems.size() == 2);
    CHECK(problems[1].where == "sys/class/net/eth99");
}

TEST_CASE("without the classes there are no devices, and a plain file is none") {
    TemporaryDirectory tree;
    std::vector<ReadProblem> problems;
    const Dir root = Dir::open(tree.path()).value();
    CHECK(hca_names(root, problems).empty());
    CHECK(problems.empty());
    CHECK(netdev_names(root, problems).empty());
    REQUIRE(problems.size() == 1);
    CHECK(problems[0].where == "sys/class/net");
    tree.write("sys/class/net/bonding_masters", "bond0\n");
    tree.write("sys/class/net/eth10/ifindex", "3\n");
    tree.write("sys/class/net/eth2/ifindex", "2\n");
    CHECK(netdev_names(root, problems) == std::vector<std::string>{"eth2", "eth10"});
    CHECK(problems.size() == 1);
}
