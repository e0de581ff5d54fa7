#include "fabric/policy/gid_policy.h"

#include "tests/support/catch.h"
#include "tests/support/state.h"

using namespace ferrule;
using namespace ferrule::testing;

namespace {

std::vector<Rail> rails_of(const std::vector<Hca>& hcas) {
    std::vector<Rail> rails;
    for (const Hca& hca : hcas) {
        rails.push_back({&hca, &hca.ports.front()});
    }
    return rails;
}

Hca with_rows(Hca hca, std::vector<GidEntry> rows) {
    hca.ports.front().gids = std::move(rows);
    for (GidEntry& entry : hca.ports.front().gids) {
        entry.netdev = hca.ports.front().netdev;
    }
    return hca;
}

std::vector<GidEntry> after_169(const std::string& address) {
    return {row(0, "fe80::1", GidType::RoceV1),     row(1, "fe80::1", GidType::RoceV2),
            row(2, "169.254.3.1", GidType::RoceV1), row(3, "169.254.3.1", GidType::RoceV2),
            row(4, address, GidType::RoceV1),       row(5, address, GidType::RoceV2)};
}

}  // namespace

TEST_CASE("the usual tables need family and version only") {
    const std::vector<Hca> hcas{roce("mlx5_0", "0000:18:00.0", "10.0.0.5"),
                                roce("mlx5_1", "0000:29:00.0", "10.1.0.5")};
    const GidPolicy policy = gid_policy(rails_of(hcas), {}).value();
    CHECK(policy.wish.family == IpFamily::V4);
    CHECK_FALSE(policy.range);
    CHECK_FALSE(policy.index);
}

TEST_CASE("a link-local IPv4 row in front calls for the smallest range that holds all rails") {
    const std::vector<Hca> hcas{
        with_rows(roce("mlx5_0", "0000:18:00.0", "10.1.0.22"), after_169("10.1.0.22")),
        with_rows(roce("mlx5_1", "0000:29:00.0", "10.1.1.22"), after_169("10.1.1.22"))};
    const GidPolicy policy = gid_policy(rails_of(hcas), {}).value();
    CHECK(to_text(policy.range.value()) == "10.1.0.0/23");
}

TEST_CASE("where no range cures it the index that all rails share is left, else nothing") {
    std::vector<Hca> hcas{
        with_rows(roce("mlx5_0", "0000:18:00.0", "10.1.0.22"), after_169("10.1.0.22")),
        with_rows(roce("mlx5_1", "0000:29:00.0", "192.168.9.1"), after_169("192.168.9.1"))};
    const GidPolicy policy = gid_policy(rails_of(hcas), {}).value();
    CHECK_FALSE(policy.range);
    CHECK_THAT(policy.range_reason, Catch::Matchers::Contains("mlx5_0 port 1"));
    CHECK(policy.index == 5U);
    hcas[1] = roce("mlx5_1", "0000:29:00.0", "192.168.9.1");
    CHECK_FALSE(gid_policy(rails_of(hcas), {}).value().index);
    CHECK_THAT(gid_policy(rails_of(hcas), {}).value().index_reason,
               Catch::Matchers::Contains("mlx5_1 port 1 needs 3"));
}

TEST_CASE("nodes with IPv6 only get AF_INET6, unless the profile insists") {
    const std::vector<Hca> hcas{roce("mlx5_0", "0000:18:00.0", "fd93::5")};
    CHECK(gid_policy(rails_of(hcas), {}).value().wish.family == IpFamily::V6);
    NodeProfile profile{};
    profile.gid_subnet = parse_prefix("fd00::/8");
    const GidPolicy bounded = gid_policy(rails_of(hcas), profile).value();
    CHECK(bounded.wish.family == IpFamily::V6);
    CHECK(bounded.range == profile.gid_subnet);
}

TEST_CASE("an index is given only to an NCCL without a rule, and only where all rails share it") {
    std::vector<Hca> hcas{roce("mlx5_0", "0000:18:00.0", "10.0.0.5"),
                          roce("mlx5_1", "0000:29:00.0", "10.1.0.5")};
    NodeProfile profile{};
    profile.nccl = NcclVersion{2, 20, 5};
    CHECK(gid_policy(rails_of(hcas), profile).value().index == 3U);
    profile.nccl = NcclVersion{2, 21, 5};
    CHECK_FALSE(gid_policy(rails_of(hcas), profile).value().index);

    profile.nccl = NcclVersion{2, 20, 5};
    hcas[1] = with_rows(hcas[1], after_169("10.1.0.5"));
    const GidPolicy differing = gid_policy(rails_of(hcas), profile).value();
    CHECK_FALSE(differing.index);
    CHECK_THAT(differing.index_reason, Catch::Matchers::Contains("mlx5_1 port 1 needs 5"));
}

TEST_CASE("a snapshot cut behind the planned row leads to the same policy") {
    Hca hca = with_rows(roce("mlx5_0", "0000:18:00.0", "10.1.0.22"), after_169("10.1.0.22"));
    const std::vector<Hca> full{hca};
    hca.ports.front().gid_table_size = 0;
    const std::vector<Hca> cut{hca};
    CHECK(gid_policy(rails_of(full), {}).value().range ==
          gid_policy(rails_of(cut), {}).value().range);
}

TEST_CASE("our own choice is a routable row or none, where NCCL's ends anywhere") {
    const auto found = [](const std::vector<GidEntry>& rows, const GidWish& wish) {
        Port port{};
        port.gids = rows;
        const GidEntry* const entry = find_gid(port, wish);
        return entry == nullptr ? std::string{"none"} : std::to_string(entry->index);
    };
    const GidWish ipv6{IpFamily::V6, GidType::RoceV2, {}};
    CHECK(found(usual_gids("10.0.0.5"), {}) == "3");
    CHECK(found(after_169("10.0.0.5"), {}) == "5");
    CHECK(found(usual_gids("fd93::5"), {}) == "none");
    CHECK(found(usual_gids("fd93::5"), ipv6) == "3");
    // Version 1 does not cross routers, and a link-local address no link.
    CHECK(found({row(1, "10.0.0.5", GidType::RoceV1)}, {}) == "none");
    CHECK(found({row(1, "fe80::1", GidType::RoceV2)}, ipv6) == "none");
}

TEST_CASE("a row of another netdev with the same address is not taken") {
    Port port{};
    port.netdev = "bond0";
    port.gids = {row(3, "10.0.0.5", GidType::RoceV2, "vxlan100"),
                 row(5, "10.0.0.5", GidType::RoceV2, "bond0")};
    REQUIRE(find_gid(port, {}) != nullptr);
    CHECK(find_gid(port, {})->index == 5);
}

TEST_CASE("an address that only a VLAN has is as good") {
    Port port{};
    port.netdev = "ens3np0";
    port.gids = {row(1, "fe80::1", GidType::RoceV2, "ens3np0"),
                 row(5, "10.0.0.5", GidType::RoceV2, "ens3np0.100")};
    REQUIRE(find_gid(port, {}) != nullptr);
    CHECK(find_gid(port, {})->index == 5);
}

TEST_CASE("in a pod the range keeps NCCL off foreign rows, and where it cannot the index does") {
    GidEntry foreign = row(3, "10.0.0.9", GidType::RoceV2);
    foreign.type = std::nullopt;
    const std::vector<Hca> hcas{
        with_rows(roce("mlx5_0", "0000:18:00.0", "10.0.0.5"),
                  {row(0, "fe80::1", GidType::RoceV1), foreign, row(6, "10.0.0.5", GidType::RoceV1),
                   row(7, "10.0.0.5", GidType::RoceV2)})};
    NodeProfile profile{};
    profile.nccl = NcclVersion{2, 21, 5};
    CHECK(gid_policy(rails_of(hcas), profile).value().range == parse_prefix("10.0.0.5/32"));
    // With a range that holds the foreign row too, only the index is left.
    profile.gid_subnet = parse_prefix("10.0.0.0/24");
    CHECK(gid_policy(rails_of(hcas), profile).value().index == 7U);
    profile.nccl = NcclVersion{2, 27, 3};
    CHECK(gid_policy(rails_of(hcas), profile).value().index == 7U);
    profile.gid_subnet.reset();
    CHECK_FALSE(gid_policy(rails_of(hcas), profile).value().index);
}
