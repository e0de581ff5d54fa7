#include "fabric/read/rtnetlink.h"

#include "fabric/base/text.h"
#include "tests/support/catch.h"
#include "tests/support/machine.h"

#include <algorithm>
#include <cstring>
#include <limits>

#include <linux/netlink.h>

using namespace ferrule;
using namespace ferrule::testing;

namespace {

std::vector<std::byte> recorded(const std::string& name) {
    std::string digits = slurp(FERRULE_RECORDED "/" + name);
    std::erase(digits, '\n');
    std::vector<std::byte> bytes;
    for (std::size_t at = 0; at + 1 < digits.size(); at += 2) {
        bytes.push_back(std::byte{parse_number<std::uint8_t>(digits.substr(at, 2), 16).value()});
    }
    return bytes;
}

}  // namespace

TEST_CASE("a recorded dump of addresses decodes in the kernel's order") {
    const auto addresses = decode_addresses(recorded("addresses.hex")).value();
    REQUIRE(addresses.size() == 7);
    CHECK(addresses[0] == IndexedAddress{1, {*parse_ip("127.0.0.1"), 8}});
    CHECK(addresses[1] == IndexedAddress{3, {*parse_ip("10.77.0.11"), 24}});
    // The own end of a point-to-point link, not the far one.
    CHECK(addresses[2].address.address == parse_ip("10.8.0.1"));
    CHECK(addresses[5].address.address == parse_ip("fd00::11"));
}

TEST_CASE("a recorded dump of routes gives the unicast routes of the main table") {
    const auto routes = decode_routes(recorded("routes.hex"), RouteTable::Main).value();
    const auto to = [&](const char* destination) {
        return std::ranges::find_if(routes, [&](const IndexedRoute& it) {
            return to_text(it.route.destination) == destination;
        });
    };
    REQUIRE(to("0.0.0.0/0") != routes.end());
    CHECK(to("0.0.0.0/0")->route.gateway == parse_ip("10.77.0.1"));
    CHECK(to("0.0.0.0/0")->ifindex == 3);
    REQUIRE(to("10.9.0.0/16") != routes.end());
    CHECK(to("10.9.0.0/16")->route.gateway == parse_ip("10.77.0.2"));
    CHECK(to("10.66.0.0/16")->route.metric == 5);
    CHECK(to("10.66.0.0/16")->route.source == parse_ip("10.77.0.11"));
    CHECK(to("10.67.0.0/16") == routes.end());
    // Addresses of this node are in the local table.
    CHECK(to("10.77.0.11/32") == routes.end());
}

TEST_CASE("no prefix of a dump is read beyond its end") {
    for (const char* name : {"addresses.hex", "routes.hex"}) {
        const auto bytes = recorded(name);
        for (std::size_t length = 0; length < bytes.size(); ++length) {
            const std::vector<std::byte> cut(bytes.begin(),
                                             bytes.begin() + static_cast<long>(length));
            (void)decode_addresses(cut);
            (void)decode_routes(cut, RouteTable::Any);
        }
    }
    const std::vector<std::byte> half(10);
    CHECK_FALSE(decode_addresses(half));
}

TEST_CASE("the kernel's refusal is an error with its number") {
    struct {
        nlmsghdr header{};
        nlmsgerr error{};
    } message;

    message.header.nlmsg_len = sizeof message;
    message.header.nlmsg_type = NLMSG_ERROR;
    message.error.error = -ENETUNREACH;
    std::vector<std::byte> bytes(sizeof message);
    std::memcpy(bytes.data(), &message, sizeof message);
    const auto routes = decode_routes(bytes, RouteTable::Any);
    REQUIRE_FALSE(routes);
    CHECK(routes.error().code == std::errc::network_unreachable);
    for (const int number : {std::numeric_limits<int>::min(), -4096, 1}) {
        message.error.error = number;
        std::memcpy(bytes.data(), &message, sizeof message);
        CHECK(decode_routes(bytes, RouteTable::Any).error().code == std::errc::bad_message);
    }
}
