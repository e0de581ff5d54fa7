// The marker rule: whose value it is, on the first node, on the next one, and after the user spoke.
#include "fabric/policy/ownership.h"

#include "tests/support/applied.h"
#include "tests/support/catch.h"

using namespace ferrule;
using namespace ferrule::testing;

namespace {

std::vector<EnvChange> plan(const std::string& hca) {
    return {{"NCCL_IB_HCA", hca, "", ""}, {"NCCL_SOCKET_IFNAME", "=eno1", "", ""}};
}

}  // namespace

TEST_CASE("absent variables are set and recorded") {
    const Environment after = applied(plan("=a:1"), {{"PATH", "/bin"}});
    CHECK(after.at("NCCL_IB_HCA") == "=a:1");
    CHECK(parse_marker(after.at(kMarkerName)) ==
          Environment{{"NCCL_IB_HCA", "=a:1"}, {"NCCL_SOCKET_IFNAME", "=eno1"}});
}

TEST_CASE("the first node's value is replaced on the next node") {
    const Environment first = applied(plan("=a:1"), {});
    CHECK(applied(plan("=b:1"), first).at("NCCL_IB_HCA") == "=b:1");
}

TEST_CASE("the first node's value is taken away where the next node has none") {
    const Environment first = applied(plan("=a:1"), {});
    const Environment second = applied({{"NCCL_IB_HCA", {}, "no rail", ""}}, first);
    CHECK_FALSE(second.contains("NCCL_IB_HCA"));
    CHECK_FALSE(second.contains("NCCL_SOCKET_IFNAME"));
    CHECK_FALSE(second.contains(kMarkerName));
}

TEST_CASE("a user's own value stays, on every node") {
    Environment script = applied(plan("=a:1"), {});
    script["NCCL_IB_HCA"] = "mlx5_7";
    const Environment step = applied(plan("=b:1"), script);
    CHECK(step.at("NCCL_IB_HCA") == "mlx5_7");
    CHECK(step.at("NCCL_SOCKET_IFNAME") == "=eno1");
    CHECK(applied(plan("=c:1"), step).at("NCCL_IB_HCA") == "mlx5_7");
}

TEST_CASE("an empty value is a user's word too") {
    CHECK(applied(plan("=a:1"), {{"NCCL_IB_HCA", ""}}).at("NCCL_IB_HCA").empty());
    Environment script = applied(plan("=a:1"), {});
    script["NCCL_IB_HCA"] = "";
    CHECK(applied(plan("=b:1"), script).at("NCCL_IB_HCA").empty());
}

TEST_CASE("a variable the user unset gets the node's default again") {
    Environment script = applied(plan("=a:1"), {});
    script.erase("NCCL_IB_HCA");
    CHECK(applied(plan("=b:1"), script).at("NCCL_IB_HCA") == "=b:1");
}

TEST_CASE("a user's value that equals the plan is still the user's") {
    const Environment current{{"NCCL_IB_HCA", "=a:1"}};
    CHECK(applied(plan("=a:1"), current).at("NCCL_IB_HCA") == "=a:1");
    CHECK(applied(plan("=b:1"), applied(plan("=a:1"), current)).at("NCCL_IB_HCA") == "=a:1");
}

TEST_CASE("who sets one variable of a group owns the group") {
    const std::vector<EnvChange> classes{{"NCCL_IB_TC", "104", "", "traffic class"},
                                         {"NCCL_IB_FIFO_TC", "104", "", "traffic class"}};
    const Environment first = applied(classes, {});
    CHECK(first.at("NCCL_IB_FIFO_TC") == "104");
    Environment script = first;
    script["NCCL_IB_TC"] = "96";
    const Environment step = applied(classes, script);
    CHECK(step.at("NCCL_IB_TC") == "96");
    CHECK_FALSE(step.contains("NCCL_IB_FIFO_TC"));
}

TEST_CASE("what was made for a list that the user replaced is left out") {
    const std::vector<EnvChange> changes{
        {"NCCL_IB_HCA", "=a:1", "", "", ""},
        {"NCCL_IB_ADDR_RANGE", "10.1.0.22/32", "", "gid", "NCCL_IB_HCA"},
        {"NCCL_IB_ADDR_FAMILY", "AF_INET", "", "gid", ""}};
    CHECK(applied(changes, {}).contains("NCCL_IB_ADDR_RANGE"));
    const Environment kept = applied(changes, {{"NCCL_IB_HCA", "=b:1"}});
    CHECK_FALSE(kept.contains("NCCL_IB_ADDR_RANGE"));
    CHECK(kept.at("NCCL_IB_ADDR_FAMILY") == "AF_INET");
}

TEST_CASE("a name in the marker that no shell could export is dropped") {
    CHECK(parse_marker("A`x`=1;B C=2;9D=3;E_1=4;=5") == Environment{{"E_1", "4"}});
}

TEST_CASE("an empty plan takes away what Ferrule set and nothing else") {
    Environment first = applied(plan("=a:1"), {{"HOME", "/root"}});
    first["NCCL_SOCKET_IFNAME"] = "eth9";
    CHECK(applied({}, first) == Environment{{"HOME", "/root"}, {"NCCL_SOCKET_IFNAME", "eth9"}});
}

TEST_CASE("an unchanged value is not written again but stays recorded") {
    const Environment first = applied(plan("=a:1"), {});
    const Ownership again = settle_ownership(plan("=a:1"), first);
    CHECK(again.writes.empty());
    CHECK(again.owned.size() == 2);
}

TEST_CASE("a marker survives any value, and a forged one does no harm") {
    const Environment owned{{"A", "x;y%z=1"}, {"B", ""}, {"C", "%3B"}};
    CHECK(parse_marker(to_marker(owned)) == owned);
    for (const char* forged : {"", ";;;", "=x", "novalue", "A=%", "A=%2", "A=%25;"}) {
        CHECK(applied(plan("=a:1"), {{kMarkerName, forged}}).at("NCCL_IB_HCA") == "=a:1");
    }
}

TEST_CASE(
    "what an image brings is replaced, and removed only where Ferrule's own value wants it open") {
    const std::vector<EnvChange> plan{
        {"NCCL_IB_HCA", "=a", "", "", ""},
        {"NCCL_IB_GID_INDEX", {}, "", "gid", "NCCL_IB_HCA"},
        {"NCCL_IB_PKEY", {}, "", "", ""},
    };
    const Ownership ours = settle_ownership(plan, {});
    Environment current = environment_after(ours, {});
    current["NCCL_IB_HCA"] = "image";
    current["NCCL_IB_GID_INDEX"] = "3";
    current["NCCL_IB_PKEY"] = "1";
    const auto after = [&](const Ownership& before, ImageValues values) {
        return environment_after(settle_image(plan, before, current, values), current);
    };
    const Environment replaced = after(ours, ImageValues::Replaced);
    CHECK(replaced.at("NCCL_IB_HCA") == "=a");
    CHECK_FALSE(replaced.contains("NCCL_IB_GID_INDEX"));
    CHECK(replaced.at("NCCL_IB_PKEY") == "1");
    const Environment kept = after(ours, ImageValues::Kept);
    CHECK(kept.at("NCCL_IB_HCA") == "image");
    CHECK(kept.at("NCCL_IB_GID_INDEX") == "3");
    CHECK_FALSE(kept.contains(kMarkerName));

    // With the list the user's, the index is nobody's but the image's.
    const Ownership users = settle_ownership(plan, {{"NCCL_IB_HCA", "mine"}});
    CHECK(after(users, ImageValues::Replaced).at("NCCL_IB_GID_INDEX") == "3");
    CHECK(after(users, ImageValues::Replaced).at("NCCL_IB_HCA") == "image");
}
