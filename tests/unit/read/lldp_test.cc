#include "fabric/read/lldp.h"

#include "tests/support/catch.h"
#include "tests/support/netlink.h"

#include <string_view>

using namespace ferrule;
using namespace ferrule::testing;

namespace {

ByteList text(std::string_view letters) {
    const auto raw = std::as_bytes(std::span{letters});
    return {raw.begin(), raw.end()};
}

ByteList tlv(unsigned type, const ByteList& value) {
    return together({list_of({type << 1U | static_cast<unsigned>(value.size()) >> 8U,
                              static_cast<unsigned>(value.size()) & 0xffU}),
                     value});
}

ByteList organisation(std::uint32_t oui, unsigned subtype, const ByteList& value) {
    return tlv(127,
               together({list_of({oui >> 16U, oui >> 8U & 0xffU, oui & 0xffU, subtype}), value}));
}

ByteList ethernet(const ByteList& tags = {}) {
    return together({list_of({1, 0x80, 0xc2, 0, 0, 0x0e, 0x0c, 0x42, 0xa1, 0, 0, 1}), tags,
                     list_of({0x88, 0xcc})});
}

ByteList mandatory(unsigned ttl = 120) {
    return together({tlv(1, list_of({4, 0x0c, 0x42, 0xa1, 0, 0, 0xff})),
                     tlv(2, together({list_of({5}), text("Ethernet1/7")})),
                     tlv(3, list_of({ttl >> 8U, ttl & 0xffU}))});
}

ByteList frame(const ByteList& more = {}) {
    return together({ethernet(), mandatory(), more, list_of({0, 0})});
}

LldpNeighbour told(const ByteList& more) {
    return decode_lldp(frame(more)).value();
}

// What a switch with DCBX for RoCE in priority 3 sends.
ByteList rich() {
    return together(
        {tlv(4, text("to node n1 rail 0")), tlv(5, text("leaf-1")),
         tlv(7, list_of({0, 0x14, 0, 0x14})), organisation(kOui8021, 1, list_of({0, 100})),
         organisation(kOui8021, 9, list_of({0x83, 0x00, 0x03, 0x00, 0x60, 50, 0, 0, 50,  0, 0,
                                            0,    0,    2,    0,    0,    2,  0, 0, 255, 0})),
         organisation(kOui8021, 11, list_of({0xc8, 0x08})),
         organisation(kOui8021, 12, list_of({0, 0x65, 0, 26, 0x61, 0x89, 0x06})),
         organisation(kOui8023, 4, list_of({0x24, 0x12})),
         organisation(0x001b21, 2, list_of({1, 2, 3}))});
}

}  // namespace

TEST_CASE("a frame of a switch gives its names and how it is set up") {
    const LldpNeighbour neighbour = told(rich());
    CHECK(neighbour.chassis_id == "0c:42:a1:00:00:ff");
    CHECK(neighbour.port_id == "Ethernet1/7");
    CHECK(neighbour.port_description == "to node n1 rail 0");
    CHECK(neighbour.system_name == "leaf-1");
    CHECK(neighbour.ttl_seconds == 120);
    CHECK(neighbour.vlan == 100);
    CHECK(neighbour.max_frame_size == 9234U);
    CHECK(neighbour.pfc == LldpPfc{true, true, 8, {1U << 3U}});
    const EtsState ets = neighbour.ets.value();
    CHECK(ets.willing);
    CHECK(ets.classes == 3);
    CHECK(ets.class_of_priority == std::array<std::uint8_t, 8>{0, 0, 0, 3, 0, 0, 6, 0});
    CHECK(ets.bandwidth == std::array<std::uint8_t, 8>{50, 0, 0, 50, 0, 0, 0, 0});
    CHECK(ets.selection[0] == TransmitSelection::Ets);
    CHECK(ets.selection[6] == TransmitSelection::Vendor);
    CHECK(neighbour.applications ==
          std::vector<AppEntry>{{AppSelector::Dscp, 26, 3}, {AppSelector::Ethertype, 0x8906, 3}});
}

TEST_CASE("tags before the frame's type are passed over, padding behind it is not read") {
    const LldpNeighbour plain = told({});
    for (const ByteList& tags :
         {list_of({0x81, 0, 0, 5}), list_of({0x88, 0xa8, 0, 5, 0x81, 0, 0, 6})}) {
        CHECK(decode_lldp(together({ethernet(tags), mandatory()})) == plain);
    }
    CHECK(decode_lldp(together({frame(), list_of({0xff, 0xff, 0xff})})) == plain);
}

TEST_CASE("identifiers become text by their kind") {
    struct Row {
        ByteList chassis{};
        const char* words{nullptr};
    };

    for (const Row& row :
         {Row{list_of({5, 1, 10, 0, 0, 1}), "10.0.0.1"},
          Row{list_of({5, 2, 0xfd, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1}), "fd00::1"},
          Row{list_of({5, 9, 'a'}), R"(\x09a)"}, Row{list_of({4, 1, 2}), R"(\x01\x02)"},
          Row{list_of({7, 's', 'w', 0, 0}), "sw"}}) {
        const auto neighbour = decode_lldp(
            together({ethernet(), tlv(1, row.chassis), tlv(2, list_of({3, 1, 2, 3, 4, 5, 6})),
                      tlv(3, list_of({0, 1}))}));
        CHECK(neighbour.value().chassis_id == row.words);
        CHECK(neighbour.value().port_id == "01:02:03:04:05:06");
    }
}

TEST_CASE("the longest text is whole, and what does not print is told as such") {
    CHECK(told(tlv(5, ByteList(511, std::byte{'\n'}))).system_name.size() == 4 * 511);
}

TEST_CASE("a switch that goes away is told from a broken frame") {
    const auto neighbour = decode_lldp(together({ethernet(), mandatory(0)}));
    REQUIRE_FALSE(neighbour);
    CHECK(neighbour.error().code == kLldpGoesAway);
}

TEST_CASE("what is no frame of the protocol, or lacks what none lacks, is an error") {
    CHECK_FALSE(decode_lldp({}));
    CHECK_FALSE(decode_lldp(ethernet()));
    CHECK_FALSE(decode_lldp(list_of({1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 0x81, 0})));
    CHECK_FALSE(decode_lldp(list_of({1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 8, 0, 0, 0})));
    CHECK_FALSE(decode_lldp(together({ethernet(), tlv(5, text("sw")), list_of({0, 0})})));
}

TEST_CASE("a TLV too short for what it should hold is an error") {
    for (const ByteList& bad :
         {tlv(1, list_of({4})), tlv(2, {}), tlv(3, list_of({1})),
          tlv(127, list_of({0, 0x80, 0xc2})), organisation(kOui8021, 1, list_of({1})),
          organisation(kOui8021, 9, ByteList(20)), organisation(kOui8021, 11, list_of({8})),
          organisation(kOui8021, 12, {}), organisation(kOui8021, 12, list_of({0, 1, 2})),
          organisation(kOui8023, 4, list_of({5}))}) {
        const auto neighbour = decode_lldp(frame(bad));
        REQUIRE_FALSE(neighbour);
        CHECK(neighbour.error().code == std::errc::bad_message);
    }
}

TEST_CASE("no frame that is cut within a TLV is taken for one") {
    const ByteList whole = frame(rich());
    std::size_t taken = 0;
    for (std::size_t size = 0; size < whole.size(); ++size) {
        const auto neighbour = decode_lldp(first_bytes(whole, size));
        taken += neighbour ? 1U : 0U;
        CHECK((neighbour || neighbour.error().code == std::errc::bad_message));
    }
    // Only behind time to live, and behind each of the nine TLVs that follow.
    CHECK(taken == 10);
}

TEST_CASE("an organisation of zeros does not speak for the standard") {
    CHECK(told(organisation(0, 5, text("other"))).system_name.empty());
}

TEST_CASE("untagged frames without a VLAN have none") {
    CHECK_FALSE(told(organisation(kOui8021, 1, list_of({0, 0}))).vlan);
}
