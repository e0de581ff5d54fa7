// Counters of devices and ports: figures, refusals, and directories that are not there.
#include "fabric/read/counters.h"

#include "fabric/read/rdma.h"
#include "tests/support/catch.h"
#include "tests/support/machine.h"

#include <cerrno>

using namespace ferrule;
using namespace ferrule::testing;

namespace {

const std::string kHca = "sys/class/infiniband/mlx5_0";
const std::string kPort = kHca + "/ports/1/";

// The device mlx5_0 of a tree, with everything that a health check asks.
Hca read_mlx5_0(const TemporaryDirectory& tree, std::vector<ReadProblem>& problems,
                std::set<std::string> refused = {}) {
    tree.write(kHca + "/node_type", "1: CA\n");
    tree.write(kPort + "state", "4: ACTIVE\n");
    ReadRequest request{};
    request.depth = Depth::Health;
    request.refused = std::move(refused);
    return read_hca(Dir::open(tree.path()).value(), "mlx5_0", request, problems);
}

}  // namespace

TEST_CASE("counters are in natural order, saturated ones too, without the cache's age") {
    TemporaryDirectory tree;
    tree.write(kPort + "counters/link_downed", "255\n");
    tree.write(kPort + "counters/VL15_dropped", "0\n");
    tree.write(kPort + "counters/port_xmit_data", "18446744073709551615\n");
    tree.write(kPort + "hw_counters/lifespan", "12\n");
    tree.write(kPort + "hw_counters/rx 10", "1\n");
    tree.write(kPort + "hw_counters/rx 9", "2\n");
    tree.write(kHca + "/hw_counters/cmds_err", "7\n");
    std::vector<ReadProblem> problems;
    const Hca hca = read_mlx5_0(tree, problems);
    const Port& port = hca.ports.front();
    CHECK(port.counters == Counters{{"VL15_dropped", 0},
                                    {"link_downed", 255},
                                    {"port_xmit_data", 18446744073709551615U}});
    CHECK(port.hw_counters == Counters{{"rx 9", 2}, {"rx 10", 1}});
    CHECK(hca.hw_counters == Counters{{"cmds_err", 7}});
    CHECK(problems.empty());
}

TEST_CASE("a port without counters has none, and an empty directory is an empty list") {
    TemporaryDirectory tree;
    tree.write(kPort + "hw_counters/lifespan", "10\n");
    std::vector<ReadProblem> problems;
    const Hca hca = read_mlx5_0(tree, problems);
    CHECK_FALSE(hca.ports.front().counters);
    CHECK(hca.ports.front().hw_counters == Counters{});
    CHECK(hca.hw_counters.empty());
    CHECK(problems.empty());
}

TEST_CASE("what is no figure is a problem, and the others are read") {
    TemporaryDirectory tree;
    tree.write(kPort + "counters/a", "N/A (no PMA)\n");
    tree.write(kPort + "counters/b", "18446744073709551616\n");
    tree.write(kPort + "counters/c", "-1\n");
    tree.write(kPort + "counters/d", "");
    tree.write(kPort + "counters/e/is a directory", "");
    tree.write(kPort + "counters/f", "3\n");
    tree.write(kPort + "hw_counters", "not a directory\n");
    std::vector<ReadProblem> problems;
    const Hca hca = read_mlx5_0(tree, problems);
    CHECK(hca.ports.front().counters == Counters{{"f", 3}});
    CHECK_FALSE(hca.ports.front().hw_counters);
    REQUIRE(problems.size() == 5);
    CHECK(problems[0].where == kPort + "counters/b");
    CHECK(problems[0].what == "\"18446744073709551616\" not understood");
    CHECK(problems[3].error_number == EISDIR);
    CHECK(problems[4].where == kPort + "hw_counters");
    CHECK(problems[4].error_number == ENOTDIR);
}

TEST_CASE("a counter that was refused before is not asked for again") {
    TemporaryDirectory tree;
    tree.write(kPort + "counters/a/is a directory", "");
    tree.write(kPort + "counters/b", "3\n");
    tree.write(kHca + "/hw_counters/a", "nothing\n");
    std::vector<ReadProblem> problems;
    const Hca hca = read_mlx5_0(tree, problems, {kPort + "counters/a", kHca + "/hw_counters/a"});
    CHECK(hca.ports.front().counters == Counters{{"b", 3}});
    CHECK(problems.empty());
}

TEST_CASE("only some errors mean that the device will never tell") {
    for (const int error : {EINVAL, EIO, EOPNOTSUPP, ENOTSUP, ENODATA}) {
        CHECK(is_refusal({"", error, ""}));
    }
    for (const int error : {0, EACCES, EBADMSG, EISDIR, EMFILE, ENOENT, ENOMEM}) {
        CHECK_FALSE(is_refusal({"", error, ""}));
    }
}

TEST_CASE("several thousand counters are read") {
    TemporaryDirectory tree;
    Counters wanted;
    for (unsigned i = 0; i < 3000; ++i) {
        wanted.push_back({"sdma" + std::to_string(i), i});
        tree.write(kPort + "hw_counters/" + wanted.back().name, std::to_string(i) + "\n");
    }
    std::vector<ReadProblem> problems;
    CHECK(read_mlx5_0(tree, problems).ports.front().hw_counters == wanted);
}

TEST_CASE("neither a plan nor a full reading asks for counters") {
    Dir root = Dir::open(machine_tree("dgx-h100-ib")).value();
    ReadLog log{};
    root.record(log);
    for (const Depth depth : {Depth::Plan, Depth::Full}) {
        ReadRequest request{};
        request.depth = depth;
        std::vector<ReadProblem> problems;
        CHECK_FALSE(read_hcas(root, request, problems).front().ports.front().counters);
    }
    for (const auto& [path, content] : log.files) {
        CHECK(path.find("counters") == std::string::npos);
    }
}
