#include "fabric/nccl/simulation.h"

#include "fabric/nccl/numbers.h"
#include "tests/support/catch.h"
#include "tests/support/state.h"

using namespace ferrule;
using namespace ferrule::testing;

namespace {

constexpr NcclVersion kOld{2, 20, 5};
constexpr NcclVersion kNew{2, 30, 7};

NodeSnapshot node() {
    NodeSnapshot snapshot{};
    snapshot.hcas = {roce("mlx5_0", "0000:9a:00.0", "10.0.0.5"),
                     roce("mlx5_1", "0000:18:00.0", "10.1.0.5"),
                     roce("mlx5_2", "0000:29:00.0", "10.2.0.5")};
    snapshot.netdevs = {netdev("eno1", "10.77.0.11")};
    return snapshot;
}

std::string ports(const NcclOutcome& outcome) {
    std::string all;
    for (const NcclPort& port : outcome.ports) {
        all += (all.empty() ? "" : " ") + port.hca;
    }
    return all;
}

}  // namespace

TEST_CASE("devices come in PCI order since 2.29.7, unless it is switched off") {
    CHECK(ports(simulate_nccl(node(), {}, kOld)) == "mlx5_0 mlx5_1 mlx5_2");
    CHECK(ports(simulate_nccl(node(), {}, kNew)) == "mlx5_1 mlx5_2 mlx5_0");
    CHECK(ports(simulate_nccl(node(), {{"NCCL_IB_DEVICE_PCI_ORDER", "0"}}, kNew)) ==
          "mlx5_0 mlx5_1 mlx5_2");
}

TEST_CASE("a port that is not ACTIVE is passed over in silence, one that does not open is not") {
    NodeSnapshot snapshot = node();
    snapshot.hcas.at(0).ports.front().state = PortState::Armed;
    snapshot.hcas.at(1).openable = false;
    const NcclOutcome outcome = simulate_nccl(snapshot, {{"NCCL_IB_HCA", "=mlx5_0"}}, kNew);
    CHECK(outcome.ports.empty());
    CHECK(outcome.warnings == std::vector<std::string>{"NET/IB : Unable to open device mlx5_1"});
    CHECK(outcome.error.empty());
}

TEST_CASE("nothing left is TCP without a word, or the end where InfiniBand was asked for") {
    CHECK(simulate_nccl(node(), {{"NCCL_IB_HCA", "=nope"}}, kNew).error.empty());
    CHECK_FALSE(
        simulate_nccl(node(), {{"NCCL_IB_HCA", "=nope"}, {"NCCL_NET", "ib"}}, kNew).error.empty());
    CHECK(simulate_nccl(node(), {{"NCCL_NET", "Socket"}}, kNew).ports.empty());
    CHECK(simulate_nccl(node(), {{"NCCL_IB_DISABLE", "1"}}, kNew).ports.empty());
    CHECK_FALSE(simulate_nccl(node(), {{"NCCL_SOCKET_IFNAME", "=nope"}}, kNew).error.empty());
}

TEST_CASE("a configuration file counts where the environment says nothing") {
    NodeSnapshot snapshot = node();
    snapshot.nccl_conf = {{"NCCL_IB_HCA", "=mlx5_2"}, {"NCCL_IB_GID_INDEX", "1"}};
    CHECK(ports(simulate_nccl(snapshot, {}, kNew)) == "mlx5_2");
    CHECK(simulate_nccl(snapshot, {}, kNew).ports.front().gid_index == 1U);
    // An empty value hides the file's.
    CHECK(simulate_nccl(snapshot, {{"NCCL_IB_HCA", ""}}, kNew).ports.size() == 3);
}

TEST_CASE("InfiniBand ports need no GID") {
    NodeSnapshot snapshot = node();
    snapshot.hcas = {infiniband("mlx5_0", "0000:18:00.0")};
    const NcclOutcome outcome = simulate_nccl(snapshot, {}, kNew);
    REQUIRE(outcome.ports.size() == 1);
    CHECK_FALSE(outcome.ports.front().gid_index);
}

TEST_CASE("numbers are read as C reads them, and text is 0") {
    const auto number = [](const std::string& text) { return nccl_number({{"X", text}}, "X", 7); };
    CHECK(number("") == 7);
    CHECK(nccl_number({}, "X", 7) == 7);
    CHECK(number("41") == 41);
    CHECK(number(" -1") == -1);
    CHECK(number("0x68") == 104);
    CHECK(number("010") == 8);
    CHECK(number("3 ports") == 3);
    CHECK(number("auto") == 0);
    CHECK(number("-") == 0);
    CHECK(number("99999999999999999999") == 7);
}
