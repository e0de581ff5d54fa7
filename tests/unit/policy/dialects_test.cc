// One intent in the words of libraries other than NCCL and UCX.
#include "fabric/policy/environment.h"
#include "tests/support/catch.h"
#include "tests/support/state.h"

#include <algorithm>

using namespace ferrule;
using namespace ferrule::testing;

namespace {

NodeSnapshot node(const std::string& first = "mlx5_0", const std::string& second = "mlx5_1") {
    NodeSnapshot snapshot{};
    snapshot.rdma_class = true;
    snapshot.hcas = {roce(first, "0000:18:00.0", "10.1.0.5"),
                     roce(second, "0000:29:00.0", "10.2.0.5")};
    snapshot.netdevs = {netdev("eno1", "10.77.0.11", 16)};
    snapshot.routes = {route("0.0.0.0/0", "eno1")};
    return snapshot;
}

NodeProfile with(const std::vector<Library>& libraries) {
    NodeProfile profile{};
    profile.name = "p";
    profile.libraries = libraries;
    return profile;
}

// "(unset)" for a variable that is left alone, "(none)" for one that the plan does not know.
std::string value(const EnvPlan& plan, const std::string& name) {
    const auto found = std::ranges::find(plan.variables, name, &EnvChange::name);
    return found == plan.variables.end() ? "(none)" : found->value.value_or("(unset)");
}

}  // namespace

TEST_CASE("NVSHMEM gets whole names, its own GID words, and a prefix where mlx5 is none") {
    NodeProfile profile = with({Library::Nvshmem});
    profile.traffic_class = 104;
    profile.service_level = 3;
    const EnvPlan plan = plan_environment(node(), profile, {});
    CHECK(value(plan, "NVSHMEM_HCA_LIST") == "mlx5_0:1,mlx5_1:1");
    CHECK(value(plan, "NVSHMEM_HCA_PREFIX") == "(none)");
    CHECK(value(plan, "NVSHMEM_IB_ADDR_FAMILY") == "AF_INET");
    CHECK(value(plan, "NVSHMEM_IB_TRAFFIC_CLASS") == "104");
    CHECK(value(plan, "NVSHMEM_IB_SL") == "3");
    CHECK(value(plan, "NVSHMEM_BOOTSTRAP_UID_SOCK_IFNAME") == "=eno1");
    CHECK(value(plan, "NCCL_IB_HCA") == "(none)");

    const EnvPlan renamed = plan_environment(node("rocep24s0", "rocep41s0"), profile, {});
    CHECK(value(renamed, "NVSHMEM_HCA_PREFIX") == "rocep");
    const EnvPlan unlike = plan_environment(node("ibp24s0", "rocep41s0"), profile, {});
    CHECK(value(unlike, "NVSHMEM_HCA_PREFIX") == "(unset)");
}

TEST_CASE("TCP leaves NVSHMEM its bootstrap only") {
    const EnvPlan plan =
        plan_environment(node(), with({Library::Nvshmem}), {FabricMode::Tcp, {}, {}});
    CHECK(plan.variables.size() == 1);
}

TEST_CASE("Open MPI gets a subnet that is known to hold all nodes, and else nothing") {
    NodeSnapshot snapshot = node();
    NodeProfile profile = with({Library::OpenMpi});
    const auto include = [&] {
        return value(plan_environment(snapshot, profile, {}), "OMPI_MCA_btl_tcp_if_include");
    };
    // Nothing is known of the other nodes.
    CHECK(include() == "(unset)");
    snapshot.peers = {{"n2", parse_ip("10.77.3.12"), PeerRole::Member, {}}};
    const EnvPlan plan = plan_environment(snapshot, profile, {});
    for (const char* name : {"OMPI_MCA_btl_tcp_if_include", "OMPI_MCA_oob_tcp_if_include",
                             "PRTE_MCA_prte_if_include"}) {
        CHECK(value(plan, name) == "10.77.0.0/16");
    }
    CHECK(value(plan, "OMPI_MCA_btl_tcp_if_exclude") == "(unset)");
    // There are more nodes than were looked at; one has no known address; one is elsewhere.
    snapshot.all_peers = false;
    CHECK(include() == "(unset)");
    snapshot.all_peers = true;
    snapshot.peers.push_back({"n3", {}, PeerRole::Member, {}});
    CHECK(include() == "(unset)");
    snapshot.peers.back().address = parse_ip("10.78.3.12");
    CHECK(include() == "(unset)");
    // The site knows, but Open MPI takes IPv4 only.
    profile.socket_subnet = parse_prefix("10.64.0.0/10");
    CHECK(include() == "10.64.0.0/10");
    snapshot.netdevs.push_back(netdev("eno2", "fd00::1", 64));
    profile.socket_subnet = parse_prefix("fd00::/64");
    CHECK(include() == "(unset)");
}

TEST_CASE("MPICH gets a beginning of device names that takes the rails and no other") {
    const NodeProfile profile = with({Library::Mpich});
    NodeSnapshot snapshot = node("rocep24s0", "rocep41s0");
    CHECK(value(plan_environment(snapshot, profile, {}), "FI_VERBS_DEVICE_NAME") == "rocep");
    CHECK(value(plan_environment(snapshot, profile, {}), "FI_TCP_IFACE") == "eno1");
    Hca down = roce("rocep90s0", "0000:5a:00.0", "10.3.0.5");
    down.ports.front().state = PortState::Down;
    snapshot.hcas.push_back(down);
    CHECK(value(plan_environment(snapshot, profile, {}), "FI_VERBS_DEVICE_NAME") == "(unset)");
}

TEST_CASE("launchers that copy variables are served only where a site names them") {
    const EnvPlan plan = plan_environment(node(), {}, {});
    CHECK(value(plan, "NCCL_IB_HCA") != "(none)");
    CHECK(value(plan, "TP_SOCKET_IFNAME") == "eno1");
    CHECK(value(plan, "OMPI_MCA_btl_tcp_if_include") == "(none)");
    CHECK(value(plan, "FI_TCP_IFACE") == "(none)");
}

TEST_CASE("an index of nccl.conf is undone where the version has a rule of its own") {
    NodeSnapshot snapshot = node();
    snapshot.nccl_conf = {{"NCCL_IB_GID_INDEX", "3"}};
    NodeProfile profile{};
    CHECK(value(plan_environment(snapshot, profile, {}), "NCCL_IB_GID_INDEX") == "(unset)");
    profile.nccl = NcclVersion{2, 21, 5};
    CHECK(value(plan_environment(snapshot, profile, {}), "NCCL_IB_GID_INDEX") == "-1");
    profile.nccl = NcclVersion{2, 20, 5};
    CHECK(value(plan_environment(snapshot, profile, {}), "NCCL_IB_GID_INDEX") == "3");
}
