// NCCL's own rule, against tables whose outcome is known from its source (net_ib.cc, 2.21 to 2.30).
#include "fabric/nccl/gid_rule.h"

#include "tests/support/catch.h"
#include "tests/support/state.h"

using namespace ferrule;
using namespace ferrule::testing;

namespace {

constexpr GidType kV1 = GidType::RoceV1;
constexpr GidType kV2 = GidType::RoceV2;

Port table(std::vector<GidEntry> rows) {
    Port port{};
    port.link_layer = LinkLayer::Ethernet;
    port.gids = std::move(rows);
    port.gid_table_size = 16;
    return port;
}

struct Vector {
    const char* name;
    Port port;
    // By default; IPv6; version 1; within 10.0.0.0/8; IPv6 within fd00::/8.
    std::array<unsigned, 5> index;
};

const std::vector<Vector>& vectors() {
    static const std::vector<Vector> all{
        {"A: the usual table",
         table({row(0, "fe80::1", kV1), row(1, "fe80::1", kV2), row(2, "10.0.0.5", kV1),
                row(3, "10.0.0.5", kV2)}),
         {3, 0, 2, 3, 0}},
        {"B: no link-local rows; IPv6 ends on an empty one",
         table({row(0, "10.0.0.5", kV1), row(1, "10.0.0.5", kV2)}),
         {1, 2, 0, 1, 0}},
        {"C: the rows of a pod begin at 4",
         table({row(4, "fe80::1", kV1), row(5, "fe80::1", kV2), row(6, "10.152.0.12", kV1),
                row(7, "10.152.0.12", kV2)}),
         {7, 0, 6, 7, 0}},
        {"D: two subnets",
         table({row(0, "fe80::1", kV1), row(1, "fe80::1", kV2), row(2, "192.168.1.5", kV1),
                row(3, "192.168.1.5", kV2), row(4, "10.10.0.5", kV1), row(5, "10.10.0.5", kV2)}),
         {3, 0, 2, 5, 0}},
        {"E: IPv6 only",
         table({row(0, "fe80::1", kV1), row(1, "fe80::1", kV2), row(2, "fd93::5", kV1),
                row(3, "fd93::5", kV2)}),
         {0, 3, 0, 0, 3}},
        {"F: IPv6 before IPv4",
         table({row(0, "fe80::1", kV1), row(1, "fe80::1", kV2), row(2, "fd93::5", kV1),
                row(3, "fd93::5", kV2), row(4, "10.0.0.5", kV1), row(5, "10.0.0.5", kV2)}),
         {5, 3, 4, 5, 3}},
        {"G: version 1 only",
         table({row(0, "fe80::1", kV1), row(1, "10.0.0.5", kV1)}),
         {1, 0, 1, 1, 0}},
        {"H: version 2 first",
         table({row(0, "fe80::1", kV1), row(1, "fe80::1", kV2), row(2, "10.0.0.5", kV2),
                row(3, "10.0.0.5", kV1)}),
         {2, 0, 3, 2, 0}},
        {"I: a link-local IPv4 address first",
         table({row(0, "fe80::1", kV1), row(1, "fe80::1", kV2), row(2, "169.254.3.1", kV1),
                row(3, "169.254.3.1", kV2), row(4, "10.1.0.5", kV1), row(5, "10.1.0.5", kV2)}),
         {3, 0, 2, 5, 0}},
        {"J: a hole",
         table({row(0, "fe80::1", kV1), row(1, "fe80::1", kV2), row(3, "10.0.0.5", kV2)}),
         {3, 0, 3, 3, 0}},
        {"K: a wrong subnet at index 0 is never left",
         table({row(0, "192.168.1.5", kV2), row(1, "10.10.0.5", kV2)}),
         {0, 2, 0, 0, 0}},
        {"L: link-local only",
         table({row(0, "fe80::1", kV1), row(1, "fe80::1", kV2)}),
         {0, 0, 0, 0, 0}},
    };
    return all;
}

}  // namespace

TEST_CASE("NCCL's rule ends where its source says, on every known table") {
    const std::array<GidWish, 5> wishes{
        GidWish{},
        GidWish{IpFamily::V6, kV2, {}},
        GidWish{IpFamily::V4, kV1, {}},
        GidWish{IpFamily::V4, kV2, parse_prefix("10.0.0.0/8")},
        GidWish{IpFamily::V6, kV2, parse_prefix("fd00::/8")},
    };
    for (const Vector& vector : vectors()) {
        for (std::size_t wish = 0; wish < wishes.size(); ++wish) {
            INFO(vector.name << ", wish " << wish);
            CHECK(nccl_gid_rule(vector.port, wishes.at(wish)) ==
                  GidOutcome{vector.index.at(wish), false});
        }
    }
}

TEST_CASE("a forced index wins, an empty one is none, and before 2.21 there is only index 0") {
    const Port& port = vectors()[0].port;
    const NcclVersion old{2, 20, 5};
    const NcclVersion later{2, 21, 5};
    CHECK(nccl_gid(port, {}, old).index == 0);
    CHECK(nccl_gid(port, {}, later).index == 3);
    CHECK(nccl_gid(port, {{"NCCL_IB_GID_INDEX", "2"}}, later).index == 2);
    CHECK(nccl_gid(port, {{"NCCL_IB_GID_INDEX", ""}}, later).index == 3);
    CHECK(nccl_gid(port, {{"NCCL_IB_GID_INDEX", "auto"}}, later).index == 0);
    CHECK(nccl_gid(port, {{"NCCL_IB_ADDR_FAMILY", "AF_INET6"}}, later).index == 0);
    CHECK(nccl_gid(port, {{"NCCL_IB_ADDR_RANGE", "fd00::/8"}}, later).index == 3);
}

TEST_CASE("a row whose type cannot be read makes the outcome a matter of chance") {
    GidEntry foreign = row(3, "10.9.0.5", kV2);
    foreign.type = std::nullopt;
    const Port port = table({row(0, "fe80::1", kV1), row(1, "fe80::1", kV2), foreign,
                             row(6, "10.0.0.5", kV1), row(7, "10.0.0.5", kV2)});
    CHECK(nccl_gid_rule(port, {}) == GidOutcome{7, true});
    // The range passes the foreign row by.
    CHECK(nccl_gid_rule(port, {IpFamily::V4, kV2, parse_prefix("10.0.0.0/24")}) ==
          GidOutcome{7, false});
}

TEST_CASE("an empty row that is current has no type to read either") {
    const Port port = table({row(2, "fd93::5", kV1), row(3, "fd93::5", kV2)});
    CHECK(nccl_gid_rule(port, {IpFamily::V6, kV2, {}}) == GidOutcome{3, true});
}
