// Single values: what sysfs prints is what is understood, and nothing else is.
#include "fabric/model/gid.h"
#include "fabric/model/guid.h"
#include "fabric/model/ip.h"
#include "fabric/model/library_variable.h"
#include "fabric/model/link_rate.h"
#include "fabric/model/nccl_version.h"
#include "fabric/model/pci_link.h"
#include "fabric/model/pkey.h"
#include "fabric/model/plan.h"
#include "fabric/model/port_state.h"
#include "fabric/model/profile.h"
#include "tests/support/catch.h"

using namespace ferrule;

TEST_CASE("a GID reads and prints as sysfs spells it") {
    const std::string text = "0000:0000:0000:0000:0000:ffff:0a00:0005";
    const auto gid = parse_gid(text);
    REQUIRE(gid);
    CHECK(to_text(*gid) == text);
    CHECK(to_text(gid->ipv4_mapped().value()) == "10.0.0.5");
    CHECK_FALSE(gid->is_link_local());
    CHECK_FALSE(gid->is_zero());
    CHECK(parse_gid("fe80:0000:0000:0000:0c42:a1ff:fe00:0001")->is_link_local());
    CHECK(parse_gid("0000:0000:0000:0000:0000:ffff:a9fe:0301")->is_link_local());
    for (const char* bad :
         {"", "fe80::1", "0000:0000:0000:0000:0000:ffff:0a00:000",
          "0000:0000:0000:0000:0000:ffff:0a00:000g", "0000-0000:0000:0000:0000:ffff:0a00:0005"}) {
        CHECK_FALSE(parse_gid(bad));
    }
}

TEST_CASE("the type of a GID depends on the link layer for version 1") {
    CHECK(parse_gid_type("IB/RoCE v1", false) == GidType::RoceV1);
    CHECK(parse_gid_type("IB/RoCE v1", true) == GidType::Ib);
    CHECK(parse_gid_type("RoCE v2", false) == GidType::RoceV2);
    CHECK_FALSE(parse_gid_type("RoCE v3", false));
}

TEST_CASE("a GUID reads in both spellings") {
    CHECK(parse_guid("0c42:a103:0000:0001")->value == 0x0c42a10300000001);
    CHECK(parse_guid("0x0c42a10300000001") == parse_guid("0c42:a103:0000:0001"));
    CHECK(to_text(Guid{0x0c42a10300000001}) == "0c42:a103:0000:0001");
    CHECK_FALSE(parse_guid("0c42:a103:0000"));
    CHECK_FALSE(parse_guid("c42:a103:0000:0001"));
}

TEST_CASE("a P_Key knows its partition and membership") {
    const auto pkey = parse_pkey("0x8001");
    REQUIRE(pkey);
    CHECK(pkey->full_member());
    CHECK(pkey->partition() == 1);
    CHECK(to_text(*pkey) == "0x8001");
    CHECK(parse_pkey("0x7fff")->full_member() == false);
    CHECK_FALSE(parse_pkey("0x18001"));
}

TEST_CASE("a rate reads in every spelling the kernels use") {
    struct Spelling {
        const char* text;
        LinkRate rate;
    };

    for (const auto& [text, rate] : {
             Spelling{"10 Gb/sec (4X)", {100, 4, ""}},
             Spelling{"10 Gb/sec (4X SDR)", {100, 4, "SDR"}},
             Spelling{"2.5 Gb/sec (1X SDR)", {25, 1, "SDR"}},
             Spelling{"40 Gb/sec (4X FDR10)", {400, 4, "FDR10"}},
             Spelling{"200 Gb/sec (2X NDR)", {2000, 2, "NDR"}},
             Spelling{"400 Gb/sec (8X HDR)", {4000, 8, "HDR"}},
             Spelling{"800 Gb/sec (4X XDR)", {8000, 4, "XDR"}},
             Spelling{"120 Gb/sec (12X FDR10)", {1200, 12, "FDR10"}},
         }) {
        CHECK(parse_link_rate(text) == rate);
        CHECK(to_text(rate) == text);
    }
    for (const char* bad : {"", "400", "400 Gb/sec", "400 Gb/sec 4X NDR", "x Gb/sec (4X NDR)",
                            "400 Gb/sec (4 NDR)", "2.55 Gb/sec (1X SDR)", "400 Mb/sec (4X NDR)"}) {
        CHECK_FALSE(parse_link_rate(bad));
    }
}

TEST_CASE("every port state prints its name, and an unknown one its number") {
    constexpr int kStates = 6;
    constexpr int kPhysStates = 8;
    for (int number = 0; number < kStates; ++number) {
        const auto state = static_cast<PortState>(number);
        CHECK(parse_port_state(std::to_string(number) + ": " + to_text(state)) == state);
    }
    for (int number = 0; number < kPhysStates; ++number) {
        const auto state = static_cast<PhysState>(number);
        CHECK(parse_phys_state(std::to_string(number) + ": " + to_text(state)) == state);
    }
    CHECK(to_text(static_cast<PortState>(9)) == "9");
    CHECK(parse_port_state("4: ACTIVE") == PortState::Active);
    CHECK_FALSE(parse_port_state("ACTIVE"));
    CHECK(parse_link_layer("InfiniBand") == LinkLayer::InfiniBand);
    CHECK(parse_link_layer("Ethernet") == LinkLayer::Ethernet);
    CHECK(parse_link_layer("Unknown") == LinkLayer::Unspecified);
}

TEST_CASE("prefixes hold the addresses of their subnet and no others") {
    const auto prefix = parse_prefix("10.1.2.3/23");
    REQUIRE(prefix);
    CHECK(to_text(*prefix) == "10.1.2.0/23");
    CHECK(prefix->contains(*parse_ip("10.1.3.255")));
    CHECK_FALSE(prefix->contains(*parse_ip("10.1.4.0")));
    CHECK_FALSE(prefix->contains(*parse_ip("::ffff:10.1.2.3")));
    CHECK(parse_prefix("fd00::/8")->contains(*parse_ip("fd93::5")));
    CHECK(parse_prefix("0.0.0.0/0")->contains(*parse_ip("192.0.2.1")));
    for (const char* bad : {"10.0.0.0", "10.0.0.0/33", "10.0.0/8", "fd00::/129", "/8", ""}) {
        CHECK_FALSE(parse_prefix(bad));
    }
    CHECK(common_bits(*parse_ip("10.1.0.22"), *parse_ip("10.1.1.22")) == 23);
    CHECK(common_bits(*parse_ip("10.1.0.22"), *parse_ip("fd00::1")) == 0);
}

TEST_CASE("versions of NCCL compare as versions") {
    CHECK(parse_nccl_version("2.21").value() == NcclVersion{2, 21, 0});
    CHECK(parse_nccl_version("2.9.6").value() < kFirstNcclWithGidRule);
    CHECK(to_text(NcclVersion{2, 18, 5}) == "2.18.5");
    for (const char* bad : {"", "2", "2.x", "2.21.5.1", "v2.21"}) {
        CHECK_FALSE(parse_nccl_version(bad));
    }
}

TEST_CASE("every fabric mode reads back from its name") {
    for (const FabricMode mode : {FabricMode::Auto, FabricMode::Off, FabricMode::Tcp}) {
        CHECK(parse_fabric_mode(to_text(mode)) == mode);
    }
    CHECK_FALSE(parse_fabric_mode("AUTO"));
}

TEST_CASE("a rail is named by PCI address, HCA or netdev, with or without a port") {
    CHECK(parse_rail_selector("0000:18:00.0").pci == parse_pci_address("0000:18:00.0"));
    CHECK(parse_rail_selector("0000:18:00.0:2").port == 2U);
    CHECK(parse_rail_selector("mlx5_3:1") == RailSelector{"mlx5_3:1", {}, "mlx5_3", 1});
    CHECK(parse_rail_selector("ens1f0np0") == RailSelector{"ens1f0np0", {}, "ens1f0np0", {}});
}

TEST_CASE("a PCIe link is its speed and lanes, and what is unknown is none") {
    CHECK(parse_pci_link("32.0 GT/s PCIe", "16") == PciLink{320, 16});
    CHECK(parse_pci_link("8 GT/s", "4") == PciLink{80, 4});
    CHECK_FALSE(parse_pci_link("Unknown", "0"));
    CHECK_FALSE(parse_pci_link("32.0 GT/s PCIe", "255"));
    CHECK_FALSE(parse_pci_link("", ""));
    // 16 lanes at 32 GT/s carry some 504 Gb/s, at 5 GT/s 64 Gb/s.
    CHECK(PciLink{320, 16}.tenth_gbps() == 5041);
    CHECK(PciLink{50, 16}.tenth_gbps() == 640);
}

TEST_CASE("a library's variable knows its range, its words and its near misses") {
    const auto why = [](std::string_view name, std::string_view value) {
        const LibraryVariable* const variable = find_library_variable(name);
        REQUIRE(variable != nullptr);
        return why_not_accepted(*variable, value);
    };
    CHECK(why("NCCL_IB_SL", "15").empty());
    CHECK(why("NCCL_IB_SL", "-1").empty());
    CHECK(why("NCCL_IB_SL", "0xf").empty());
    CHECK(why("NCCL_IB_SL", "16") == "is out of range; give -1 to 15");
    CHECK(why("NCCL_IB_SL", "").empty());
    CHECK(why("UCX_IB_SL", "auto").empty());
    CHECK_FALSE(why("NCCL_IB_SL", "auto").empty());
    CHECK(find_library_variable("NCCL_DEBUG") == nullptr);
    CHECK(variable_meant_by("NCCL_IB_TIMOUT") == "NCCL_IB_TIMEOUT");
    CHECK_FALSE(variable_meant_by("NCCL_IB_TC"));
    CHECK_FALSE(variable_meant_by("NCCL_NET"));
    CHECK_FALSE(variable_meant_by("NCCL_DEBUG"));
    CHECK_FALSE(variable_meant_by("HOME"));
    CHECK_FALSE(variable_meant_by(std::string(5000, 'N')));
}
