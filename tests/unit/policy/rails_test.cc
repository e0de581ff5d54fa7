// Which ports are rails. Each rule has a node on which it speaks and one on which it does not.
#include "fabric/policy/rails.h"

#include "fabric/policy/gpu_rails.h"
#include "tests/support/catch.h"
#include "tests/support/state.h"

#include <algorithm>

using namespace ferrule;
using namespace ferrule::testing;
using Catch::Matchers::Contains;
using Catch::Matchers::StartsWith;

namespace {

NodeSnapshot node(std::vector<Hca> hcas) {
    NodeSnapshot snapshot{};
    snapshot.rdma_class = true;
    snapshot.hcas = std::move(hcas);
    return snapshot;
}

std::string rails(const RailChoice& choice) {
    std::string names;
    for (const Rail& rail : choice.rails) {
        names += (names.empty() ? "" : " ") + rail.hca->name;
    }
    return names;
}

std::string reason(const RailChoice& choice, const std::string& hca) {
    const auto found = std::ranges::find(choice.verdicts, hca, &PortVerdict::hca);
    return found == choice.verdicts.end() ? "no such port" : found->reason;
}

NodeSnapshot two_rails() {
    return node({infiniband("mlx5_0", "0000:18:00.0"), infiniband("mlx5_1", "0000:40:00.0")});
}

}  // namespace

TEST_CASE("rails come in PCI order, whatever their names and the order they were read in") {
    const auto snapshot =
        node({infiniband("mlx5_0", "0000:c0:00.0"), infiniband("mlx5_2", "0001:01:00.0"),
              infiniband("mlx5_10", "0000:18:00.0")});
    const RailChoice choice = choose_rails(snapshot, {});
    CHECK(rails(choice) == "mlx5_10 mlx5_0 mlx5_2");
    CHECK(choice.kind == FabricKind::InfiniBand);
}

TEST_CASE("a port that is not ACTIVE is no rail") {
    NodeSnapshot snapshot = two_rails();
    Port& port = snapshot.hcas[1].ports.front();
    SECTION("down") {
        port.state = PortState::Down;
        port.phys_state = PhysState::Polling;
        CHECK(reason(choose_rails(snapshot, {}), "mlx5_1") == "not ACTIVE: DOWN/Polling");
    }
    SECTION("waiting for a subnet manager") {
        port.state = PortState::Init;
        CHECK(reason(choose_rails(snapshot, {}), "mlx5_1") == "not ACTIVE: INIT/LinkUp");
    }
    SECTION("unreadable") {
        port.state.reset();
        CHECK(reason(choose_rails(snapshot, {}), "mlx5_1") == "its state cannot be read");
    }
    CHECK(rails(choose_rails(snapshot, {})) == "mlx5_0");
}

TEST_CASE("a device that cannot be opened is no rail") {
    NodeSnapshot snapshot = two_rails();
    snapshot.hcas[0].openable = false;
    snapshot.hcas[1].uverbs.clear();
    const RailChoice choice = choose_rails(snapshot, {});
    CHECK(rails(choice).empty());
    CHECK(choice.kind == FabricKind::None);
    CHECK(reason(choice, "mlx5_0") == "cannot be opened: no /dev/infiniband/uverbs0");
    CHECK_THAT(reason(choice, "mlx5_1"), Contains("load ib_uverbs"));
}

TEST_CASE("iWARP is no rail") {
    NodeSnapshot snapshot = two_rails();
    snapshot.hcas[1] = roce("irdma0", "0000:40:00.0", "10.0.0.5");
    snapshot.hcas[1].node_type = NodeType::Rnic;
    CHECK_THAT(reason(choose_rails(snapshot, {}), "irdma0"), StartsWith("iWARP"));
}

TEST_CASE("virtual functions are rails in a guest and none on their host") {
    NodeSnapshot snapshot = two_rails();
    snapshot.hcas[1].function = FunctionKind::Virtual;
    CHECK(rails(choose_rails(snapshot, {})) == "mlx5_0 mlx5_1");
    snapshot.hcas[1].physical_function = parse_pci_address("0000:18:00.0");
    CHECK(rails(choose_rails(snapshot, {})) == "mlx5_0");
    // The profile may name it all the same.
    NodeProfile profile{};
    profile.rails = {parse_rail_selector("mlx5_1")};
    CHECK(rails(choose_rails(snapshot, profile)) == "mlx5_1");
    // In a pod the physical function has no device.
    snapshot.hcas.erase(snapshot.hcas.begin());
    CHECK(rails(choose_rails(snapshot, {})) == "mlx5_1");
}

TEST_CASE("a sub-function is a rail only without its parent") {
    NodeSnapshot snapshot = two_rails();
    snapshot.hcas[1].function = FunctionKind::SubFunction;
    CHECK(rails(choose_rails(snapshot, {})) == "mlx5_0 mlx5_1");
    snapshot.hcas[1].pci = snapshot.hcas[0].pci;
    CHECK_THAT(reason(choose_rails(snapshot, {}), "mlx5_1"), StartsWith("sub-function"));
}

TEST_CASE("four InfiniBand functions in one slot manage the NVSwitches, two are a dual-port card") {
    std::vector<Hca> hcas{infiniband("mlx5_0", "0000:18:00.0")};
    for (const char* address : {"0000:0e:00.0", "0000:0e:00.1", "0000:0e:00.2", "0000:0e:00.3"}) {
        hcas.push_back(infiniband("mezz_" + std::string{address}.substr(11), address));
    }
    CHECK(rails(choose_rails(node(hcas), {})) == "mlx5_0");
    CHECK_THAT(reason(choose_rails(node(hcas), {}), "mezz_0"), Contains("NVSwitches"));
    hcas.resize(3);
    CHECK(rails(choose_rails(node(hcas), {})) == "mezz_0 mezz_1 mlx5_0");
    hcas[2].board_id = "NVD0000000079";
    CHECK(rails(choose_rails(node(hcas), {})) == "mezz_0 mlx5_0");
}

TEST_CASE("RoCE needs a routable GID") {
    NodeSnapshot snapshot = node(
        {roce("mlx5_0", "0000:18:00.0", "10.0.0.5"), roce("mlx5_1", "0000:40:00.0", "10.1.0.5")});
    CHECK(rails(choose_rails(snapshot, {})) == "mlx5_0 mlx5_1");
    SECTION("an empty table") {
        snapshot.hcas[1].ports.front().gids.clear();
    }
    SECTION("link-local rows only") {
        snapshot.hcas[1].ports.front().gids.resize(2);
    }
    SECTION("link-local IPv4") {
        snapshot.hcas[1].ports.front().gids = usual_gids("169.254.1.1");
    }
    SECTION("version 1 only") {
        snapshot.hcas[1].ports.front().gids = {row(0, "10.1.0.5", GidType::RoceV1)};
    }
    CHECK(rails(choose_rails(snapshot, {})) == "mlx5_0");
    CHECK(reason(choose_rails(snapshot, {}), "mlx5_1") == "no routable RoCE v2 GID");
}

TEST_CASE("a port beside a GPU wins over one that is not, where any is") {
    NodeSnapshot snapshot = two_rails();
    snapshot.hcas[0].pci = pci("0000:18:00.0", {"pci0000:15", "0000:15:01.0", "0000:16:00.0"});
    snapshot.gpus = {gpu(0, "0000:19:00.0", {"pci0000:15", "0000:15:01.0", "0000:16:04.0"})};
    CHECK(rails(choose_rails(snapshot, {})) == "mlx5_0");
    CHECK_THAT(reason(choose_rails(snapshot, {}), "mlx5_1"), Contains("storage or management"));
    // A virtual machine hides the switches: no port is beside a GPU, so all are kept.
    snapshot.gpus = {gpu(0, "0001:00:00.0", {"pci0001:00"})};
    CHECK(rails(choose_rails(snapshot, {})) == "mlx5_0 mlx5_1");
}

TEST_CASE("the slower RoCE port of the default route is management") {
    NodeSnapshot snapshot = node(
        {roce("mlx5_0", "0000:18:00.0", "10.0.0.5"), roce("mlx5_1", "0000:40:00.0", "10.1.0.5")});
    snapshot.routes = {route("0.0.0.0/0", "net_mlx5_0")};
    // As fast as the other: a node may well route over its rails.
    CHECK(rails(choose_rails(snapshot, {})) == "mlx5_0 mlx5_1");
    snapshot.hcas[0].ports.front().rate = LinkRate{1000, 4, "EDR"};
    CHECK(rails(choose_rails(snapshot, {})) == "mlx5_1");
    CHECK_THAT(reason(choose_rails(snapshot, {}), "mlx5_0"), Contains("default route"));
    snapshot.hcas.pop_back();
    CHECK(rails(choose_rails(snapshot, {})) == "mlx5_0");
}

TEST_CASE("on a tie of bandwidth the faster ports win") {
    NodeSnapshot snapshot =
        node({infiniband("mlx5_0", "0000:18:00.0"), infiniband("mlx5_1", "0000:40:00.0"),
              infiniband("mlx5_2", "0000:40:00.1")});
    snapshot.hcas[1].ports.front().rate = LinkRate{2000, 4, "HDR"};
    snapshot.hcas[2].ports.front().rate = LinkRate{2000, 4, "HDR"};
    CHECK(rails(choose_rails(snapshot, {})) == "mlx5_0");
}

TEST_CASE("one port without the family of the others is left out and changes nothing for them") {
    NodeSnapshot snapshot =
        node({roce("mlx5_0", "0000:18:00.0", "fd93::5"), roce("mlx5_1", "0000:40:00.0", "10.1.0.5"),
              roce("mlx5_2", "0000:50:00.0", "10.2.0.5")});
    const RailChoice choice = choose_rails(snapshot, {});
    CHECK(rails(choice) == "mlx5_1 mlx5_2");
    CHECK(reason(choice, "mlx5_0") == "no routable IPv4 GID, unlike other ports");
}

TEST_CASE("only proof that all ACTIVE ports are of other networks counts as such") {
    NodeSnapshot snapshot = two_rails();
    CHECK_FALSE(choose_rails(snapshot, {}).only_foreign_ports);
    snapshot.hcas[0].board_id = snapshot.hcas[1].board_id = "NVD0000000079";
    CHECK(choose_rails(snapshot, {}).only_foreign_ports);
    // Without a GID the port may be right and its address late.
    snapshot.hcas[1] = roce("mlx5_1", "0000:40:00.0", "169.254.0.1");
    CHECK(rails(choose_rails(snapshot, {})).empty());
    CHECK_FALSE(choose_rails(snapshot, {}).only_foreign_ports);
}

TEST_CASE("the fabric and then the speed with the most bandwidth is the compute fabric") {
    NodeSnapshot snapshot = two_rails();
    snapshot.hcas.push_back(roce("mlx5_2", "0000:50:00.0", "10.0.0.5"));
    CHECK(rails(choose_rails(snapshot, {})) == "mlx5_0 mlx5_1");
    CHECK(reason(choose_rails(snapshot, {}), "mlx5_2") == "RoCE, the compute fabric is InfiniBand");

    snapshot.hcas.push_back(infiniband("mlx5_3", "0000:60:00.0"));
    snapshot.hcas.back().ports.front().rate = LinkRate{1000, 4, "EDR"};
    CHECK(rails(choose_rails(snapshot, {})) == "mlx5_0 mlx5_1");
    CHECK(reason(choose_rails(snapshot, {}), "mlx5_3") ==
          "100 Gb/s, the compute ports run at 400 Gb/s");
}

TEST_CASE("a rate that cannot be read does not cost the rail") {
    NodeSnapshot snapshot = two_rails();
    snapshot.hcas[1].ports.front().rate.reset();
    CHECK(rails(choose_rails(snapshot, {})) == "mlx5_0 mlx5_1");
}

TEST_CASE("a profile's rails are taken as they are, by address, HCA, port or netdev") {
    NodeSnapshot snapshot = two_rails();
    snapshot.hcas.push_back(infiniband("mlx5_2", "0000:50:00.0"));
    snapshot.hcas[2].ports.front().rate = LinkRate{2000, 4, "HDR"};
    snapshot.hcas[2].ports.front().netdev = "ib2";
    NodeProfile profile{};
    profile.name = "gpu";
    profile.rails = {parse_rail_selector("0000:18:00.0"), parse_rail_selector("ib2")};
    const RailChoice choice = choose_rails(snapshot, profile);
    CHECK(rails(choice) == "mlx5_0 mlx5_2");
    CHECK(reason(choice, "mlx5_1") == "not among the rails of the profile");
    CHECK_THAT(reason(choice, "mlx5_2"), StartsWith("rail of profile gpu"));

    profile.rails = {parse_rail_selector("mlx5_1:2")};
    CHECK(rails(choose_rails(snapshot, profile)).empty());
    profile.rails = {parse_rail_selector("mlx5_1:1")};
    CHECK(rails(choose_rails(snapshot, profile)) == "mlx5_1");
}

TEST_CASE("a profile may ask for a link layer and a partition") {
    NodeSnapshot snapshot = two_rails();
    NodeProfile profile{};
    profile.link_layer = LinkLayer::Ethernet;
    CHECK_THAT(reason(choose_rails(snapshot, profile), "mlx5_0"),
               StartsWith("link layer InfiniBand, the profile wants Ethernet"));
    profile.link_layer.reset();
    profile.pkey = Pkey{0x8001};
    snapshot.hcas[0].ports.front().pkeys.push_back({1, Pkey{0x0001}});
    const RailChoice choice = choose_rails(snapshot, profile);
    CHECK(rails(choice) == "mlx5_0");
    CHECK(reason(choice, "mlx5_1") == "its P_Key table lacks 0x8001");
}

TEST_CASE("EFA devices are rails though their link layer is unknown") {
    NodeSnapshot snapshot = node({infiniband("rdmap16s27", "0000:10:1b.0")});
    snapshot.hcas[0].driver = "efa";
    snapshot.hcas[0].ports.front().link_layer = LinkLayer::Unspecified;
    CHECK(choose_rails(snapshot, {}).kind == FabricKind::Efa);
}

namespace {

// Two switches, each with two GPUs and one HCA.
NodeSnapshot two_switches() {
    NodeSnapshot snapshot = two_rails();
    const std::vector<std::string> first{"pci0000:15", "0000:15:01.0", "0000:16:00.0"};
    const std::vector<std::string> second{"pci0000:37", "0000:37:01.0", "0000:38:00.0"};
    snapshot.hcas[0].pci = pci("0000:18:00.0", first);
    snapshot.hcas[1].pci = pci("0000:40:00.0", second);
    snapshot.gpus = {gpu(0, "0000:19:00.0", first), gpu(1, "0000:1a:00.0", first),
                     gpu(2, "0000:41:00.0", second), gpu(3, "0000:42:00.0", second)};
    return snapshot;
}

// Rails of unlike speeds are rails where the profile says so.
NodeProfile any_speed() {
    NodeProfile profile{};
    profile.rails = {parse_rail_selector("mlx5_0"), parse_rail_selector("mlx5_1")};
    return profile;
}

}  // namespace

TEST_CASE("bandwidth comes before distance, as in NCCL") {
    NodeSnapshot snapshot = two_switches();
    snapshot.hcas[0].ports.front().rate = LinkRate{1000, 4, "EDR"};
    // Between the sockets NCCL reckons with less than the far rail has, and with more than the
    // near.
    const RailChoice all = choose_rails(snapshot, any_speed());
    CHECK(rails(rails_of_gpus(all, snapshot, {0})) == "mlx5_1");
    // A narrow PCIe link is as bad as a slow port.
    snapshot = two_switches();
    snapshot.hcas[0].max_link = PciLink{80, 4};
    CHECK(rails(rails_of_gpus(choose_rails(snapshot, {}), snapshot, {0})) == "mlx5_1");
}

TEST_CASE("GPUs that tie for the same rails share them in PCI order") {
    NodeSnapshot snapshot = two_switches();
    for (Hca& hca : snapshot.hcas) {
        hca.pci.path = {"pci0000:00", "0000:00:01.0", "0000:01:00.0", to_text(*hca.pci.address)};
    }
    for (Gpu& it : snapshot.gpus) {
        it.pci.path = {"pci0000:00", "0000:00:01.0", "0000:01:01.0", to_text(*it.pci.address)};
    }
    const RailChoice all = choose_rails(snapshot, {});
    // Four GPUs, two rails.
    CHECK(rails(rails_of_gpus(all, snapshot, {0})) == "mlx5_0");
    CHECK(rails(rails_of_gpus(all, snapshot, {1})) == "mlx5_0");
    CHECK(rails(rails_of_gpus(all, snapshot, {2})) == "mlx5_1");
    CHECK(rails(rails_of_gpus(all, snapshot, {1, 3})) == "mlx5_0 mlx5_1");
    // One GPU and two rails beside it: both. The other GPU has a rail of its own.
    const std::vector<std::string> elsewhere{"pci0000:f0", "0000:f0:01.0", "0000:f1:00.0"};
    snapshot.hcas.push_back(infiniband("mlx5_2", "0000:f2:00.0"));
    snapshot.hcas.back().pci = pci("0000:f2:00.0", elsewhere);
    snapshot.gpus = {snapshot.gpus[0], gpu(1, "0000:f3:00.0", elsewhere)};
    const RailChoice three = choose_rails(snapshot, {});
    CHECK(rails(rails_of_gpus(three, snapshot, {0})) == "mlx5_0 mlx5_1");
    CHECK(rails(rails_of_gpus(three, snapshot, {1})) == "mlx5_2");
}

TEST_CASE("a job with some of the GPUs gets the rails nearest to them") {
    const NodeSnapshot snapshot = two_switches();
    const RailChoice all = choose_rails(snapshot, {});
    const RailChoice first = rails_of_gpus(all, snapshot, {0, 1});
    CHECK(rails(first) == "mlx5_0");
    CHECK_THAT(reason(first, "mlx5_1"), Contains("falls to no GPU of the job"));
    CHECK(rails(rails_of_gpus(all, snapshot, {3})) == "mlx5_1");
    CHECK(rails(rails_of_gpus(all, snapshot, {0, 3})) == "mlx5_0 mlx5_1");
}

TEST_CASE("a job with all or with unknown GPUs gets every rail") {
    const NodeSnapshot snapshot = two_switches();
    const RailChoice all = choose_rails(snapshot, {});
    CHECK(rails(rails_of_gpus(all, snapshot, {})) == "mlx5_0 mlx5_1");
    CHECK(rails(rails_of_gpus(all, snapshot, {0, 1, 2, 3})) == "mlx5_0 mlx5_1");
}
