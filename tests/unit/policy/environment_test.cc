// The plan as a whole, in the words of each library.
#include "fabric/policy/environment.h"

#include "tests/support/catch.h"
#include "tests/support/state.h"

#include <algorithm>

using namespace ferrule;
using namespace ferrule::testing;
using Catch::Matchers::Contains;

namespace {

NodeSnapshot ib_node() {
    NodeSnapshot snapshot{};
    snapshot.rdma_class = true;
    snapshot.hcas = {infiniband("mlx5_1", "0000:18:00.0"), infiniband("mlx5_10", "0000:40:00.0")};
    snapshot.netdevs = {netdev("eno1", "10.77.0.11")};
    snapshot.routes = {route("0.0.0.0/0", "eno1")};
    return snapshot;
}

NodeSnapshot roce_node() {
    NodeSnapshot snapshot = ib_node();
    snapshot.hcas = {roce("mlx5_1", "0000:18:00.0", "10.0.0.5"),
                     roce("mlx5_10", "0000:40:00.0", "10.1.0.5")};
    return snapshot;
}

// "-" for a variable that is left alone, "absent" for one the plan does not speak of.
std::string value(const EnvPlan& plan, const std::string& name) {
    const auto found = std::ranges::find(plan.variables, name, &EnvChange::name);
    return found == plan.variables.end() ? "absent" : found->value.value_or("-");
}

}  // namespace

TEST_CASE("an InfiniBand node names exact ports and says nothing of GIDs") {
    const EnvPlan plan = plan_environment(ib_node(), {}, {});
    CHECK(value(plan, "NCCL_IB_HCA") == "=mlx5_1:1,mlx5_10:1");
    CHECK(value(plan, "NCCL_SOCKET_IFNAME") == "=eno1");
    CHECK(value(plan, "UCX_NET_DEVICES") == "mlx5_1:1,mlx5_10:1,eno1");
    CHECK(value(plan, "GLOO_SOCKET_IFNAME") == "eno1");
    CHECK(value(plan, "NCCL_IB_ADDR_FAMILY") == "absent");
    CHECK(value(plan, "NCCL_IB_GID_INDEX") == "absent");
    CHECK(value(plan, "FI_PROVIDER") == "absent");
}

TEST_CASE("a RoCE node says family and version and never an index that can drift") {
    const EnvPlan plan = plan_environment(roce_node(), {}, {});
    CHECK(value(plan, "NCCL_IB_ADDR_FAMILY") == "AF_INET");
    CHECK(value(plan, "NCCL_IB_ROCE_VERSION_NUM") == "2");
    CHECK(value(plan, "NCCL_IB_ADDR_RANGE") == "-");
    CHECK(value(plan, "NCCL_IB_GID_INDEX") == "-");
}

TEST_CASE("every variable of every plan carries its reason") {
    NodeProfile profile{};
    profile.name = "all";
    profile.traffic_class = 106;
    profile.service_level = 3;
    profile.pkey = Pkey{0xffff};
    profile.environment = {{"NCCL_DEBUG", "WARN"}};
    for (const NodeSnapshot& snapshot : {ib_node(), roce_node(), NodeSnapshot{}}) {
        for (const FabricMode mode : {FabricMode::Auto, FabricMode::Tcp}) {
            const EnvPlan plan = plan_environment(snapshot, profile, {mode, {}});
            CHECK_FALSE(plan.variables.empty());
            for (const EnvChange& change : plan.variables) {
                CHECK_FALSE(change.reason.empty());
            }
            for (const PortVerdict& verdict : plan.ports) {
                CHECK_FALSE(verdict.reason.empty());
            }
        }
    }
}

TEST_CASE("a traffic class goes to data and control messages, on RoCE only") {
    NodeProfile profile{};
    profile.traffic_class = 106;
    const EnvPlan plan = plan_environment(roce_node(), profile, {});
    CHECK(value(plan, "NCCL_IB_TC") == "106");
    CHECK(value(plan, "NCCL_IB_FIFO_TC") == "106");
    CHECK(value(plan, "UCX_IB_TRAFFIC_CLASS") == "106");
    CHECK(value(plan_environment(ib_node(), profile, {}), "NCCL_IB_TC") == "absent");
}

TEST_CASE("a service level goes to both libraries") {
    NodeProfile profile{};
    profile.service_level = 1;
    const EnvPlan plan = plan_environment(ib_node(), profile, {});
    CHECK(value(plan, "NCCL_IB_SL") == "1");
    CHECK(value(plan, "UCX_IB_SL") == "1");
}

TEST_CASE("a partition is an index for NCCL and a value for UCX") {
    NodeProfile profile{};
    profile.pkey = Pkey{0x8001};
    NodeSnapshot snapshot = ib_node();
    snapshot.hcas[0].ports.front().pkeys.push_back({2, Pkey{0x8001}});
    snapshot.hcas[1].ports.front().pkeys.push_back({2, Pkey{0x8001}});
    const EnvPlan plan = plan_environment(snapshot, profile, {});
    CHECK(value(plan, "NCCL_IB_PKEY") == "2");
    CHECK(value(plan, "UCX_IB_PKEY") == "0x1");

    snapshot.hcas[1].ports.front().pkeys.back().index = 5;
    CHECK(value(plan_environment(snapshot, profile, {}), "NCCL_IB_PKEY") == "-");
}

TEST_CASE("TCP means no RDMA in any dialect, the HPC-X plugin's own switch included") {
    const EnvPlan plan = plan_environment(roce_node(), {}, {FabricMode::Tcp, {}});
    CHECK(value(plan, "NCCL_NET") == "Socket");
    CHECK(value(plan, "NCCL_IB_DISABLE") == "1");
    CHECK(value(plan, "NCCL_IBEXT_DISABLE") == "1");
    CHECK(value(plan, "NCCL_IB_HCA") == "absent");
    CHECK(value(plan, "UCX_NET_DEVICES") == "eno1");
    CHECK(value(plan, "NCCL_SOCKET_IFNAME") == "=eno1");
}

TEST_CASE("off is an empty plan") {
    CHECK(plan_environment(roce_node(), {}, {FabricMode::Off, {}}).variables.empty());
}

TEST_CASE("ports of other networks are not left for NCCL to find") {
    NodeSnapshot snapshot = ib_node();
    for (Hca& hca : snapshot.hcas) {
        hca.board_id = "NVD0000000079";
    }
    const EnvPlan plan = plan_environment(snapshot, {}, {});
    CHECK(value(plan, "NCCL_IB_HCA") == "-");
    CHECK(value(plan, "NCCL_IB_DISABLE") == "1");
    CHECK(value(plan, "NCCL_IBEXT_DISABLE") == "1");
    snapshot.hcas[0].board_id.clear();
    snapshot.hcas[0].openable = false;
    CHECK(value(plan_environment(snapshot, {}, {}), "NCCL_IB_DISABLE") == "absent");
    CHECK(value(plan_environment(NodeSnapshot{}, {}, {}), "NCCL_IB_DISABLE") == "absent");
}

TEST_CASE("EFA names the provider and leaves the AWS plugin its own choices") {
    NodeSnapshot snapshot = ib_node();
    for (Hca& hca : snapshot.hcas) {
        hca.driver = "efa";
        hca.ports.front().link_layer = LinkLayer::Unspecified;
    }
    const EnvPlan plan = plan_environment(snapshot, {}, {});
    CHECK(value(plan, "FI_PROVIDER") == "efa");
    CHECK(value(plan, "NCCL_IB_HCA") == "-");
    CHECK(value(plan, "NCCL_IB_DISABLE") == "absent");
}

TEST_CASE("the site's own values come last: added, replaced, or taken out when empty") {
    NodeProfile profile{};
    profile.name = "gpu";
    profile.environment = {
        {"NCCL_CROSS_NIC", "0"}, {"GLOO_SOCKET_IFNAME", "eth7"}, {"UCX_NET_DEVICES", ""}};
    const EnvPlan plan = plan_environment(ib_node(), profile, {});
    CHECK(value(plan, "NCCL_CROSS_NIC") == "0");
    CHECK(value(plan, "GLOO_SOCKET_IFNAME") == "eth7");
    CHECK(value(plan, "UCX_NET_DEVICES") == "-");
}

TEST_CASE("GPUs that this node does not have are a note and cost no rail") {
    const EnvPlan plan = plan_environment(ib_node(), {}, {FabricMode::Auto, "0,1"});
    CHECK(value(plan, "NCCL_IB_HCA") == "=mlx5_1:1,mlx5_10:1");
    CHECK_THAT(plan.notes.at(0), Contains("all rails are given"));
}

TEST_CASE(
    "a list longer than an old NCCL reads is said, and cut evenly where the version is known") {
    NodeSnapshot snapshot = ib_node();
    snapshot.hcas.clear();
    for (unsigned i = 0; i < 6; ++i) {
        Hca hca =
            infiniband("mlx5_" + std::to_string(i), "0000:" + std::to_string(10 + i) + ":00.0");
        for (unsigned port = 2; port <= 4; ++port) {
            hca.ports.push_back(hca.ports.front());
            hca.ports.back().number = port;
        }
        snapshot.hcas.push_back(hca);
    }
    NodeProfile profile{};
    const EnvPlan whole = plan_environment(snapshot, profile, {});
    CHECK_THAT(whole.variables.at(0).reason, Contains("24 rails") && Contains("set oldest_nccl"));
    profile.nccl = NcclVersion{2, 18, 3};
    // Two of each, and not four of the first four.
    CHECK(value(plan_environment(snapshot, profile, {}), "NCCL_IB_HCA") ==
          "=mlx5_0:1,mlx5_0:2,mlx5_1:1,mlx5_1:2,mlx5_2:1,mlx5_2:2,mlx5_3:1,mlx5_3:2,mlx5_4:1,"
          "mlx5_4:2,mlx5_5:1,mlx5_5:2");
    profile.nccl = NcclVersion{2, 18, 5};
    CHECK_THAT(plan_environment(snapshot, profile, {}).variables.at(0).reason,
               Contains("24 rails") && !Contains("oldest_nccl"));
}

TEST_CASE("what could not be read is a note of the plan") {
    NodeSnapshot snapshot = ib_node();
    snapshot.problems = {{"sys/class/infiniband/mlx5_1/ports/1/rate", EIO, "Input/output error"}};
    CHECK(plan_environment(snapshot, {}, {}).notes.at(0) ==
          "sys/class/infiniband/mlx5_1/ports/1/rate: Input/output error");
}
