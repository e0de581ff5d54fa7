// A profile learnt from nodes: the majority is written, deviants are named, doubts are not frozen.
#include "fabric/check/learn.h"

#include "fabric/read/settings.h"
#include "tests/support/health_world.h"

using namespace ferrule;
using namespace ferrule::testing;
using Catch::Matchers::Contains;

namespace {

NodeProfile learnt(const std::vector<NodeSnapshot>& nodes) {
    return parse_settings("learnt", learn_profile(nodes)).value().profiles.at(0);
}

}  // namespace

TEST_CASE("what all rails have is written, with how many they are") {
    const NodeSnapshot node = roce_world().snapshot;
    CHECK_THAT(learn_profile({node}), Contains("# Learnt from one node.") &&
                                          Contains("\nnodes = n1\n") &&
                                          Contains("\n# 4 of 4 rails\nmtu = 9000\n") &&
                                          Contains("\n# 1 of 1 nodes\nrails = "));
    const NodeProfile profile = learnt({node});
    CHECK(profile.rails.size() == 4);
    CHECK(profile.link_layer == LinkLayer::Ethernet);
    CHECK(profile.expected.rate == NumberRange{4000, 4000});
    CHECK(profile.expected.pfc == PrioritySet{8});
    CHECK(profile.expected.trust == TrustMode::Dscp);
    CHECK(profile.expected.fec == "RS");
    CHECK(profile.expected.gpus == 4);
    CHECK(profile.expected.gpudirect == GpuDirect::Peermem);
}

TEST_CASE("the majority wins and who differs is named") {
    World odd = infiniband_world();
    odd.snapshot.hostname = "n2";
    odd.hca(1).firmware = "28.38.1";
    const std::string text = learn_profile({infiniband_world().snapshot, odd.snapshot});
    CHECK_THAT(text,
               Contains("# Learnt from 2 nodes.") &&
                   Contains("# 7 of 8 rails; n2 mlx5_1/1 has 28.38.1\nfirmware = 28.39.1002\n"));
    CHECK(learnt({infiniband_world().snapshot, odd.snapshot}).nodes ==
          std::vector<std::string>{"n1", "n2"});
}

TEST_CASE("without a majority nothing is frozen") {
    World world = infiniband_world();
    world.hca(0).firmware = world.hca(1).firmware = "28.38.1";
    CHECK_THAT(learn_profile({world.snapshot}),
               Contains("# not frozen: no majority\n#firmware = "));
    CHECK(learnt({world.snapshot}).expected.firmware.empty());
}

TEST_CASE("what looks like a fault is questioned and not frozen") {
    World world = roce_world();
    for (std::size_t i = 0; i < 4; ++i) {
        world.netdev(i).mtu = 1500;
        world.dcb(i).pfc->enabled = {};
        world.link(i).pause->transmit = true;
        world.pcie(i).path[0].current = PciLink{320, 8};
    }
    const std::string text = learn_profile({world.snapshot});
    CHECK_THAT(text, Contains("\n#mtu = 1500\n") && Contains("\n#pfc = none\n") &&
                         Contains("\n#global_pause = on\n") && Contains("the card can do more"));
    const NodeProfile profile = learnt({world.snapshot});
    CHECK_FALSE(profile.expected.mtu.has_value());
    CHECK_FALSE(profile.expected.pfc.has_value());
    CHECK_FALSE(profile.expected.pcie_width.has_value());
}

TEST_CASE("a node passes with what was learnt from it, and fails once it differs") {
    const Fabric fabric = GENERATE(Fabric::InfiniBand, Fabric::Roce, Fabric::Efa);
    World world = world_of(fabric);
    world.profile = learnt({world.snapshot});
    CHECK(verdict_of(judged(world)) == Verdict::Ok);
    world.hca(0).firmware = "1.1.1";
    CHECK(verdict_of(judged(world)) == Verdict::Critical);
}

TEST_CASE("nodes without a rail teach nothing but that") {
    NodeSnapshot node{};
    node.hostname = "n9";
    const std::string text = learn_profile({node});
    CHECK_THAT(text, Contains("\nnodes = n9\n# No rail was found on any of them.\n"));
    CHECK(parse_settings("learnt", text).has_value());
}
