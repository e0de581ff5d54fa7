#include "fabric/archive/scrub.h"

#include "tests/support/catch.h"

using namespace ferrule;

namespace {

const Scrubber& scrubber() {
    static const Scrubber it{"gpu07", 0x123456789abcdefULL};
    return it;
}

std::string scrubbed(std::string_view text) {
    return scrubber().text(text);
}

IpAddress ip(const std::string& text) {
    return parse_ip(text).value();
}

}  // namespace

TEST_CASE("addresses of one subnet stay in one subnet, and no other joins them") {
    const auto one = scrubber().address(ip("10.77.0.11"));
    const auto two = scrubber().address(ip("10.77.0.12"));
    const auto other = scrubber().address(ip("10.78.0.11"));
    CHECK(one != ip("10.77.0.11"));
    CHECK(common_bits(one, two) == common_bits(ip("10.77.0.11"), ip("10.77.0.12")));
    CHECK(common_bits(one, other) == common_bits(ip("10.77.0.11"), ip("10.78.0.11")));
}

TEST_CASE("what an address is for stays") {
    for (const char* text : {"127.0.0.1", "::1", "::", "224.0.0.1"}) {
        CHECK(scrubbed(text) == text);
    }
    CHECK(scrubber().address(ip("169.254.3.1")).is_link_local());
    CHECK(scrubber().address(ip("fe80::e42:a1ff:fe00:301")).is_link_local());
    CHECK(scrubbed("172.17.0.1").starts_with("172."));
    CHECK(scrubbed("fd12:3456::5").starts_with("fd"));
}

TEST_CASE("a network stays a network") {
    CHECK(scrubbed("10.0.0.0/8 dev eth0") == "10.0.0.0/8 dev eth0");
    CHECK(scrubbed("10.77.0.0/16").ends_with(".0.0/16"));
    CHECK(scrubbed("NCCL_COMM_ID=10.77.0.11:5000") ==
          "NCCL_COMM_ID=" + scrubbed("10.77.0.11") + ":5000");
    CHECK(scrubber().address(ip("::ffff:10.77.0.11")) != ip("::ffff:10.77.0.11"));
    CHECK(scrubbed("0.0.0.0/0") == "0.0.0.0/0");
    const std::string text = scrubbed("10.77.0.0/16 src 10.77.0.11");
    CHECK(text.substr(0, 5) == text.substr(text.find("src ") + 4, 5));
}

TEST_CASE("the GID of an interface stays that of its address and MAC address") {
    const std::string gid = scrubbed("0000:0000:0000:0000:0000:ffff:0a4d:000b");
    CHECK(parse_gid(gid).value().ipv4_mapped() == scrubber().address(ip("10.77.0.11")));
    const std::string mac = scrubbed("0c:42:a1:00:0b:01");
    const std::string link_local = scrubbed("fe80:0000:0000:0000:0e42:a1ff:fe00:0b01");
    CHECK(mac.starts_with("0c:42:a1:"));
    CHECK(link_local.starts_with("fe80:0000:0000:0000:0e42:a1ff:fe"));
    CHECK(link_local.substr(32, 2) + link_local.substr(35) ==
          mac.substr(9, 2) + mac.substr(12, 2) + mac.substr(15));
    CHECK(scrubbed("0000:0000:0000:0000:0000:0000:0000:0000") ==
          "0000:0000:0000:0000:0000:0000:0000:0000");
}

TEST_CASE("functions of one card keep neighbouring GUIDs, and its IPoIB address the port's") {
    const std::string first = scrubbed("0c42:a103:0000:0b10");
    const std::string second = scrubbed("0c42:a103:0000:0b11");
    CHECK(first != "0c42:a103:0000:0b10");
    CHECK(first.starts_with("0c42:a1"));
    CHECK(first.substr(0, 18) == second.substr(0, 18));
    CHECK(first.back() == '0');
    CHECK(second.back() == '1');
    std::string ipoib = scrubbed("00:00:10:29:fe:80:00:00:00:00:00:00:0c:42:a1:03:00:00:0b:10");
    CHECK(ipoib.starts_with("00:00:10:29:fe:80:00:00:00:00:00:00:"));
    std::erase(ipoib, ':');
    std::string plain = first;
    std::erase(plain, ':');
    CHECK(ipoib.ends_with(plain));
}

TEST_CASE("the host's name and GPUs go, and what only looks like them stays") {
    CHECK(scrubbed("gpu07 mlx5_0") == "node mlx5_0");
    CHECK(scrubbed("gpu07.cluster.example") == "node");
    CHECK(scrubbed("gpu07-hca") == "node");
    CHECK(Scrubber("gpu07.acme.example", 1).text("gpu07 mlx5_0") == "node mlx5_0");
    CHECK(scrubbed("gpu071") == "gpu071");
    const std::string uuid = "GPU-1f0c2a3b-4d5e-6f70-8192-a3b4c5d6e7f8";
    CHECK(scrubbed(uuid) != uuid);
    CHECK(scrubbed(uuid).starts_with("GPU-"));
    CHECK(scrubbed(uuid) == scrubbed(uuid));
    for (const char* text : {"0000:18:00.0", "400 Gb/sec (4X NDR)", "6.1.0-18-amd64", "mlx5_bond_0",
                             "4: ACTIVE", "0x0041", "NCCL_IB_HCA=mlx5", ""}) {
        CHECK(scrubbed(text) == text);
    }
}

TEST_CASE("another salt gives another capture") {
    const Scrubber other{"gpu07", 7};
    CHECK(other.text("10.77.0.11") != scrubbed("10.77.0.11"));
}
