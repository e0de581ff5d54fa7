#include "fabric/policy/lint.h"

#include "fabric/policy/environment.h"
#include "tests/support/catch.h"
#include "tests/support/state.h"

using namespace ferrule;
using namespace ferrule::testing;
using Catch::Matchers::Contains;

namespace {

NodeSnapshot node() {
    NodeSnapshot snapshot{};
    snapshot.rdma_class = true;
    snapshot.hcas = {roce("mlx5_1", "0000:18:00.0", "10.1.0.5"),
                     roce("mlx5_10", "0000:29:00.0", "10.2.0.5"),
                     roce("mlx5_2", "0000:40:00.0", "10.3.0.5")};
    snapshot.hcas[2].ports.front().rate = LinkRate{250, 1, "EDR"};
    snapshot.netdevs = {netdev("lo", "127.0.0.1"), netdev("bond0", "10.77.0.11"),
                        netdev("bond0.7", "10.78.0.11"), netdev("eth9")};
    for (int index = 0; index < 4; ++index) {
        snapshot.netdevs[static_cast<std::size_t>(index)].ifindex = index + 1;
    }
    snapshot.routes = {route("0.0.0.0/0", "bond0")};
    snapshot.nccl_conf = {{"NCCL_IB_TIMEOUT", "22"}};
    return snapshot;
}

// All sentences about one variable, in one line.
std::string lint(const std::string& name, const std::string& value,
                 const NcclVersion& nccl = newest_known_nccl(), Environment others = {}) {
    const NodeSnapshot snapshot = node();
    const EnvPlan plan = plan_environment(snapshot, {}, {});
    others[name] = value;
    std::string all;
    for (const LintFinding& finding : lint_environment({snapshot, plan, others, nccl}, {})) {
        all += finding.variable == name ? finding.sentence + "; " : "";
    }
    return all;
}

}  // namespace

TEST_CASE("what is right is not spoken of") {
    for (const auto& [name, value] : std::vector<std::pair<std::string, std::string>>{
             {"NCCL_IB_HCA", "=mlx5_1:1,mlx5_10:1"},
             {"NCCL_IB_HCA", "^=mlx5_2"},
             {"NCCL_SOCKET_IFNAME", "=bond0"},
             {"NCCL_SOCKET_IFNAME", "^lo,bond0."},
             {"UCX_NET_DEVICES", "mlx5_1:1,bond0"},
             {"UCX_NET_DEVICES", "all"},
             {"UCX_NET_DEVICES", "^mlx5_2:1"},
             {"UCX_IB_SL", "auto"},
             {"NVSHMEM_HCA_LIST", "mlx5_1:1,mlx5_10"},
             {"GLOO_SOCKET_IFNAME", "bond0"},
             {"TP_SOCKET_IFNAME", "bond0"},
             {"NCCL_IB_GID_INDEX", "3"},
             {"NCCL_IB_GID_INDEX", "-1"},
             {"NCCL_IB_PKEY", "0"},
             {"NCCL_IB_TIMEOUT", "22"},
             {"NCCL_NET_GDR_LEVEL", "PHB"},
             {"NCCL_IB_ADDR_RANGE", "10.0.0.0/8"},
             {"NCCL_IB_DISABLE", "0"},
             {"NCCL_OOB_NET_IFNAME", "=mlx5_1"},
             {"NCCL_NET_MERGE_LEVEL", "PORT"},
             {"NCCL_NVB_DISABLE", "1"},
             {"OMPI_MCA_oob_tcp_if_exclude", "docker0"},
             {"UCX_IB_ROCE_REACHABILITY_MODE", "LOCAL_SUBNET"},
             {"NCCL_DEBUG", "INFO"},
             {"NCCL_P2P_LEVEL", "NVL"},
             {"NCCL_NET", "IB"},
             {"PATH", "/usr/bin"},
             {"SLURM_JOB_ID", "7"}}) {
        INFO(name << "=" << value);
        CHECK(lint(name, value).empty());
    }
}

TEST_CASE("lists of HCAs in NCCL's grammar") {
    CHECK_THAT(lint("NCCL_IB_HCA", "mlx5_1"), Contains("is a prefix and takes mlx5_10 too"));
    CHECK_THAT(lint("NCCL_IB_HCA", "^mlx5_1"), Contains("leaves out mlx5_10 too"));
    CHECK_THAT(lint("NCCL_IB_HCA", "=mlx5_1:2"), Contains("\"mlx5_1:2\" matches no"));
    CHECK_THAT(lint("NCCL_IB_HCA", ""), Contains("takes mlx5_2:1, which is no rail"));
    CHECK_THAT(lint("NCCL_IB_HCA", "=mlx5_1, mlx5_10"), Contains("has a blank"));
    CHECK_THAT(lint("NCCL_IB_HCA", "^=mlx5_1,^=mlx5_2"), Contains("repeats a prefix"));
    CHECK_THAT(lint("NCCL_IB_HCA", "=^mlx5_1"), Contains("write \"^=\""));
    CHECK_THAT(lint("NCCL_IB_HCA", "=mlx5_1:0"), Contains("no port above 0"));
    CHECK_THAT(lint("NCCL_IB_HCA", "=mlx5_1:x"), Contains("no port above 0"));
    CHECK_THAT(lint("NCCL_IB_HCA", "=mlx5_7"),
               Contains("matches no HCA port of this node") && Contains("lets no ACTIVE port"));
    CHECK_THAT(lint("NCCL_IB_HCA", "=mlx5_1,mlx5_1"), Contains("listed twice"));
    CHECK_THAT(lint("NCCL_IB_HCA", "=mlx5_1"), Contains("leaves out mlx5_10:1"));
    CHECK_THAT(lint("NCCL_IB_HCA", "=mlx5_1,mlx5_10,mlx5_2"),
               Contains("takes mlx5_2:1, which is no rail"));
    std::string many = "=mlx5_1";
    for (int i = 20; i < 40; ++i) {
        many += ",mlx5_" + std::to_string(i);
    }
    CHECK_THAT(lint("NCCL_IB_HCA", many, {2, 18, 3}), Contains("drops all beyond the first 16"));
    CHECK_THAT(lint("NCCL_IB_HCA", many), !Contains("drops all"));
}

TEST_CASE("lists of interfaces in NCCL's grammar") {
    CHECK_THAT(lint("NCCL_SOCKET_IFNAME", "bond0"),
               Contains("is a prefix and takes bond0, bond0.7"));
    CHECK_THAT(lint("NCCL_SOCKET_IFNAME", "10.77.0.11"), Contains("is an address"));
    CHECK_THAT(lint("NCCL_SOCKET_IFNAME", "=ib0"), Contains("no interface of this node"));
    CHECK_THAT(lint("NCCL_SOCKET_IFNAME", "=bond0.7"),
               Contains("the first match is bond0.7 (10.78.0.11)"));
    CHECK_THAT(lint("NCCL_SOCKET_IFNAME", "=eth9"), Contains("lets no interface with an address"));
    CHECK_THAT(lint("NCCL_SOCKET_IFNAME", "e"), Contains("too short"));
}

TEST_CASE("libraries that know whole names only") {
    CHECK_THAT(lint("GLOO_SOCKET_IFNAME", "^lo,bond0"), Contains("knows no \"^\""));
    CHECK_THAT(lint("GLOO_SOCKET_IFNAME", "10.77.0.11"), Contains("is an address"));
    CHECK_THAT(lint("TP_SOCKET_IFNAME", "eth9"), Contains("has no address"));
    CHECK_THAT(lint("TP_SOCKET_IFNAME", "ib0"), Contains("no interface of this node"));
    CHECK_THAT(lint("UCX_NET_DEVICES", "=mlx5_1:1"), Contains("knows no \"=\""));
    CHECK_THAT(lint("UCX_NET_DEVICES", "mlx5_1,bond0"), Contains("write mlx5_1:1"));
    CHECK_THAT(lint("UCX_NET_DEVICES", "mlx5_1:1"), Contains("no interface for TCP"));
    CHECK_THAT(lint("UCX_NET_DEVICES", "mlx5_2:1,bond0"), Contains("is no rail"));
    CHECK_THAT(lint("NVSHMEM_HCA_LIST", "mlx5_1:1,ib0"), Contains("is no HCA port"));
}

TEST_CASE("rows that are pinned") {
    CHECK_THAT(lint("NCCL_IB_GID_INDEX", "1"), Contains("pins row 1") && Contains("fe80::1"));
    CHECK_THAT(lint("NCCL_IB_GID_INDEX", "2"), Contains("RoCE v1"));
    CHECK_THAT(lint("NCCL_IB_GID_INDEX", "9"), Contains("row 9, which is empty"));
    CHECK_THAT(lint("NCCL_IB_GID_INDEX", "999"), Contains("row 999, which is none"));
    CHECK_THAT(lint("NCCL_IB_ADDR_FAMILY", "AF_INET6"),
               Contains("leads NCCL to row 0") && Contains("fe80::1 and not routable"));
    CHECK(lint("NCCL_IB_ADDR_FAMILY", "AF_INET").empty());
    CHECK_THAT(lint("NCCL_IB_ADDR_RANGE", "192.168.0.0/16"), Contains("leads NCCL to row 0"));
    CHECK_THAT(lint("NCCL_IB_PKEY", "0x8001"), Contains("out of range") || Contains("is an index"));
}

TEST_CASE("numbers, words, names and partners") {
    CHECK_THAT(lint("NCCL_IB_RETRY_CNT", "10"), Contains("give 0 to 7"));
    CHECK_THAT(lint("NCCL_IB_TIMEOUT", "fast"), Contains("no number"));
    CHECK_THAT(lint("NCCL_NET_GDR_LEVEL", "phb"), Contains("give one of"));
    CHECK_THAT(lint("NCCL_IB_ADDR_RANGE", "10.0.0.0"), Contains("no range"));
    CHECK_THAT(lint("NCCL_IB_GDR_LEVEL", "PHB"), Contains("use NCCL_NET_GDR_LEVEL"));
    CHECK_THAT(lint("NCCL_SOCKET_IFNAME-", "eth0"), Contains("did you mean NCCL_SOCKET_IFNAME?"));
    CHECK_THAT(lint("NCCL_IB_HCAS", "x"), Contains("did you mean NCCL_IB_HCA?"));
    CHECK_THAT(lint("NCCL_IB_TIMEOUT", ""), Contains("hides the value of /etc/nccl.conf"));
    CHECK_THAT(lint("NCCL_IB_TC", "104"), Contains("NCCL_IB_FIFO_TC"));
    CHECK(lint("NCCL_IB_TC", "104", newest_known_nccl(), {{"NCCL_IB_FIFO_TC", "104"}}).empty());
    CHECK_THAT(lint("NCCL_IB_DISABLE", "1"), Contains("NCCL_IBEXT_DISABLE"));
    CHECK_THAT(lint("OMPI_MCA_btl_tcp_if_include", "bond0", newest_known_nccl(),
                    {{"OMPI_MCA_btl_tcp_if_exclude", "lo"}}),
               Contains("refuses it beside"));
}

TEST_CASE("what Ferrule set is not the user's") {
    const NodeSnapshot snapshot = node();
    const EnvPlan plan = plan_environment(snapshot, {}, {});
    const Environment environment{{"NCCL_IB_HCA", "mlx5_1"}};
    CHECK(
        lint_environment({snapshot, plan, environment, newest_known_nccl()}, environment).empty());
}
