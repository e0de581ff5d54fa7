// The version of a device's driver, and the defaults of rdma_cm.
#include "fabric/read/rdma.h"
#include "tests/support/catch.h"
#include "tests/support/machine.h"

#include <cerrno>
#include <filesystem>

using namespace ferrule;
using namespace ferrule::testing;

namespace {

const std::string kHca = "sys/class/infiniband/mlx5_0/";
const std::string kCm = "sys/kernel/config/rdma_cm/mlx5_0/ports/";

Hca read_mlx5_0(const TemporaryDirectory& tree, std::vector<ReadProblem>& problems,
                Depth depth = Depth::Health) {
    tree.write(kHca + "node_type", "1: CA\n");
    tree.write(kHca + "ports/1/link_layer", "Ethernet\n");
    tree.write(kHca + "ports/2/link_layer", "InfiniBand\n");
    ReadRequest request{};
    request.depth = depth;
    return read_hca(Dir::open(tree.path()).value(), "mlx5_0", request, problems);
}

}  // namespace

TEST_CASE("a driver's version is the one of the module that makes the RDMA device") {
    struct Case {
        const char* driver;
        const char* module;
    };

    for (const auto& [driver, module] : {Case{"mlx5_core", "mlx5_core"},
                                         {"mlx5_core.sf", "mlx5_core"},
                                         {"efa", "efa"},
                                         {"bnxt_en", "bnxt_re"},
                                         {"ice", "irdma"},
                                         {"ionic", "ionic_rdma"}}) {
        INFO(driver);
        TemporaryDirectory tree;
        std::filesystem::create_directories(tree.path() + "/" + kHca + "device");
        std::filesystem::create_symlink("../../../../bus/drivers/" + std::string{driver},
                                        tree.path() + "/" + kHca + "device/driver");
        std::vector<ReadProblem> problems;
        CHECK(read_mlx5_0(tree, problems).driver_version.empty());
        tree.write("sys/module/" + std::string{module} + "/version", "24.10-0.7.0\n");
        CHECK(read_mlx5_0(tree, problems).driver_version == "24.10-0.7.0");
        CHECK(read_mlx5_0(tree, problems, Depth::Full).driver_version.empty());
        CHECK(problems.empty());
    }
}

TEST_CASE("rdma_cm's defaults are read where their directory is, and it is never made") {
    TemporaryDirectory tree;
    std::filesystem::create_directories(tree.path() + "/sys/kernel/config/rdma_cm");
    std::vector<ReadProblem> problems;
    CHECK_FALSE(read_mlx5_0(tree, problems).ports[0].cm_gid_type);
    CHECK(std::filesystem::is_empty(tree.path() + "/sys/kernel/config/rdma_cm"));
    tree.write(kCm + "1/default_roce_mode", "RoCE v2\n");
    tree.write(kCm + "1/default_roce_tos", "106\n");
    tree.write(kCm + "2/default_roce_mode", "IB/RoCE v1\n");
    const Hca hca = read_mlx5_0(tree, problems);
    CHECK(hca.ports[0].cm_gid_type == GidType::RoceV2);
    CHECK(hca.ports[0].cm_tos == 106);
    CHECK(hca.ports[1].cm_gid_type == GidType::Ib);
    CHECK_FALSE(hca.ports[1].cm_tos);
    CHECK_FALSE(read_mlx5_0(tree, problems, Depth::Full).ports[0].cm_tos);
    CHECK(problems.empty());
}

TEST_CASE("defaults that cannot be understood are problems") {
    TemporaryDirectory tree;
    tree.write(kCm + "1/default_roce_mode", "RoCE v3\n");
    tree.write(kCm + "1/default_roce_tos", "256\n");
    std::vector<ReadProblem> problems;
    CHECK_FALSE(read_mlx5_0(tree, problems).ports[0].cm_gid_type);
    REQUIRE(problems.size() == 2);
    CHECK(problems[0].where == kCm + "1/default_roce_mode");
    CHECK(problems[1].what == "\"256\" not understood");
    std::filesystem::remove_all(tree.path() + "/sys/kernel");
    tree.write("sys/kernel/config/rdma_cm/mlx5_0", "a file\n");
    CHECK_FALSE(read_mlx5_0(tree, problems).ports[0].cm_tos);
    CHECK(problems.back().error_number == ENOTDIR);
}
