#include "fabric/read/netlink_file.h"

#include "fabric/read/rtnetlink.h"
#include "tests/support/catch.h"
#include "tests/support/machine.h"

using namespace ferrule;
using namespace ferrule::testing;

namespace {

std::vector<std::byte> recorded(const std::string& name) {
    return parse_hex_lines(slurp(std::string{FERRULE_RECORDED} + "/" + name)).value();
}

IpAddress with_last_byte_7(const IpAddress& address) {
    IpAddress changed = address;
    changed.bytes.at(address.bits() / 8 - 1) = 7;
    return changed;
}

}  // namespace

TEST_CASE("bytes written as lines read back, and what is no pair of digits is an error") {
    const auto bytes = recorded("addresses.hex");
    CHECK(parse_hex_lines(hex_lines(bytes)).value() == bytes);
    CHECK(parse_hex_lines("").value().empty());
    CHECK_FALSE(parse_hex_lines("0g\n"));
    CHECK_FALSE(parse_hex_lines("012\n"));
}

TEST_CASE("every address of a real dump is rewritten, and the rest stays") {
    auto bytes = recorded("addresses.hex");
    const auto before = decode_addresses(bytes).value();
    REQUIRE(rewrite_addresses(bytes, with_last_byte_7));
    const auto after = decode_addresses(bytes).value();
    REQUIRE(after.size() == before.size());
    REQUIRE_FALSE(after.empty());
    for (std::size_t i = 0; i < after.size(); ++i) {
        CHECK(after[i].address.address == with_last_byte_7(before[i].address.address));
        CHECK(after[i].ifindex == before[i].ifindex);
        CHECK(after[i].address.prefix_length == before[i].address.prefix_length);
    }
}

TEST_CASE("a route's destination stays a network when addresses change") {
    auto bytes = recorded("routes.hex");
    REQUIRE(rewrite_addresses(bytes, with_last_byte_7));
    const auto routes = decode_routes(bytes, RouteTable::Any).value();
    REQUIRE_FALSE(routes.empty());
    for (const IndexedRoute& it : routes) {
        CHECK(prefix_of(it.route.destination.address, it.route.destination.length) ==
              it.route.destination);
        if (it.route.gateway) {
            CHECK(it.route.gateway->bytes.at(it.route.gateway->bits() / 8 - 1) == 7);
        }
    }
}

TEST_CASE("a message that is cut short is an error") {
    auto bytes = recorded("routes.hex");
    bytes.resize(bytes.size() - 3);
    CHECK_FALSE(rewrite_addresses(bytes, with_last_byte_7));
}
