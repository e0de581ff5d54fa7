#include "fabric/read/ip_text.h"

#include "tests/support/catch.h"

using namespace ferrule;

TEST_CASE("the lines of ip -o address give devices and addresses in order") {
    const auto found = parse_ip_address(
        "1: lo    inet 127.0.0.1/8 scope host lo\\       valid_lft forever preferred_lft forever\n"
        "3: bond0.100@bond0    inet 10.1.2.3/16 brd 10.1.255.255 scope global bond0.100\n"
        "4: tun0    inet 10.8.0.1 peer 10.8.0.2/32 scope global tun0\n"
        "3: bond0.100@bond0    inet6 fe80::1/64 scope link\n"
        "5: eth9    link/ether 00:00:00:00:00:00\n"
        "garbage\n");
    REQUIRE(found.size() == 4);
    CHECK(found[1] == NamedAddress{"bond0.100", {*parse_ip("10.1.2.3"), 16}});
    CHECK(found[2] == NamedAddress{"tun0", {*parse_ip("10.8.0.1"), 32}});
    CHECK(found[3].address.address.is_link_local());
}

TEST_CASE("the lines of ip route give unicast routes") {
    const auto routes = parse_ip_route(
        "default via 10.77.0.1 dev eno1 proto static metric 100\n"
        "default dev ppp0 scope link\n"
        "10.77.0.0/24 dev eno1 proto kernel scope link src 10.77.0.11\n"
        "10.9.9.9 via 10.77.0.254 dev eno1\n"
        "10.68.0.0/16 \n"
        "\tnexthop via 10.77.0.2 dev eno1 weight 1 \n"
        "\tnexthop via 10.77.0.3 dev eno2 weight 1 \n"
        "unreachable 10.66.0.0/16\n"
        "blackhole 10.67.0.0/16 dev lo\n"
        "fe80::/64 dev eno1 proto kernel metric 256 pref medium\n"
        "default via fe80::1 dev eno1 metric 1024\n");
    REQUIRE(routes.size() == 7);
    CHECK(routes[0].metric == 100);
    CHECK(routes[0].gateway == parse_ip("10.77.0.1"));
    CHECK(to_text(routes[1].destination) == "0.0.0.0/0");
    CHECK(routes[2].source == parse_ip("10.77.0.11"));
    CHECK(to_text(routes[3].destination) == "10.9.9.9/32");
    CHECK(to_text(routes[4].destination) == "10.68.0.0/16");
    CHECK(routes[4].netdev == "eno1");
    CHECK(to_text(routes[6].destination) == "::/0");
}
