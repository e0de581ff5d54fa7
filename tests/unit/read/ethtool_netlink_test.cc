#include "fabric/read/ethtool_netlink.h"

#include "fabric/read/netlink_file.h"
#include "tests/support/catch.h"
#include "tests/support/machine.h"
#include "tests/support/netlink.h"

#include <cerrno>

#include <linux/ethtool_netlink.h>
#include <linux/genetlink.h>

using namespace ferrule;
using namespace ferrule::testing;

namespace {

constexpr unsigned short kFamily = 21;

ByteList answer(std::uint8_t command, const ByteList& attributes) {
    const genlmsghdr head{command, 1, 0};
    return encode_request({kFamily, 0, bytes_of(head), attributes});
}

// Every answer begins with its interface.
ByteList header() {
    return nest(1, together({attribute(ETHTOOL_A_HEADER_DEV_INDEX, std::uint32_t{4}),
                             encode_attribute(ETHTOOL_A_HEADER_DEV_NAME, "eth0")}));
}

ByteList modes(std::uint32_t speed, std::uint32_t lanes) {
    return answer(ETHTOOL_MSG_LINKMODES_GET_REPLY,
                  together({header(), attribute(ETHTOOL_A_LINKMODES_AUTONEG, std::uint8_t{1}),
                            nest(ETHTOOL_A_LINKMODES_OURS,
                                 attribute(ETHTOOL_A_BITSET_SIZE, std::uint32_t{92})),
                            attribute(ETHTOOL_A_LINKMODES_SPEED, speed),
                            attribute(ETHTOOL_A_LINKMODES_DUPLEX, std::uint8_t{1}),
                            attribute(ETHTOOL_A_LINKMODES_LANES, lanes)}));
}

ByteList state(const ByteList& attributes) {
    return answer(ETHTOOL_MSG_LINKSTATE_GET_REPLY, together({header(), attributes}));
}

ByteList down(unsigned reason, unsigned detail) {
    return state(
        together({attribute(ETHTOOL_A_LINKSTATE_LINK, std::uint8_t{0}),
                  attribute(ETHTOOL_A_LINKSTATE_EXT_STATE, static_cast<std::uint8_t>(reason)),
                  attribute(ETHTOOL_A_LINKSTATE_EXT_SUBSTATE, static_cast<std::uint8_t>(detail))}));
}

ByteList pause(unsigned autoneg, unsigned receive, unsigned transmit) {
    return answer(
        ETHTOOL_MSG_PAUSE_GET_REPLY,
        together({header(), attribute(ETHTOOL_A_PAUSE_AUTONEG, static_cast<std::uint8_t>(autoneg)),
                  attribute(ETHTOOL_A_PAUSE_RX, static_cast<std::uint8_t>(receive)),
                  attribute(ETHTOOL_A_PAUSE_TX, static_cast<std::uint8_t>(transmit))}));
}

// The total, then a figure a lane.
ByteList fec(std::uint32_t bit) {
    const std::array<std::uint64_t, 3> corrected{30, 10, 20};
    const std::array<std::uint64_t, 1> uncorrectable{0x100000001};
    return answer(
        ETHTOOL_MSG_FEC_GET_REPLY,
        together({header(), attribute(ETHTOOL_A_FEC_AUTO, std::uint8_t{1}),
                  attribute(ETHTOOL_A_FEC_ACTIVE, bit),
                  nest(ETHTOOL_A_FEC_STATS | NLA_F_NESTED,
                       together({attribute(ETHTOOL_A_FEC_STAT_CORRECTED, corrected),
                                 attribute(ETHTOOL_A_FEC_STAT_UNCORR, uncorrectable)}))}));
}

EthernetLink told(const ByteList& bytes, EthtoolQuestion question) {
    return decode_ethtool(bytes, question, {}).value();
}

}  // namespace

TEST_CASE("link modes tell speed and lanes, and the unknown stays absent") {
    const EthernetLink link = told(modes(400000, 4), EthtoolQuestion::LinkModes);
    CHECK(link.speed == 400000U);
    CHECK(link.lanes == 4U);
    CHECK(told(modes(0xffffffff, 0), EthtoolQuestion::LinkModes) == EthernetLink{});
    CHECK(told(modes(0, 0), EthtoolQuestion::LinkModes) == EthernetLink{});
}

TEST_CASE("the link's state tells why it is down, in words") {
    CHECK(told(state(attribute(ETHTOOL_A_LINKSTATE_LINK, std::uint8_t{1})),
               EthtoolQuestion::LinkState)
              .link_up == true);

    struct Row {
        unsigned reason{0};
        unsigned detail{0};
        const char* words{nullptr};
    };

    for (const Row& row : {Row{4, 0, "No cable"}, Row{0, 1, "Autoneg, No partner detected"},
                           Row{1, 4, "Link training failure, Remote side is not ready yet"},
                           Row{2, 5, "Logical mismatch, RS FEC is not locked"},
                           Row{3, 4, "Bad signal integrity, Serdes analog loss of signal"},
                           Row{5, 1, "Cable issue, Unsupported cable"}, Row{9, 0, "Overheat"},
                           Row{10, 1, "Module, CMIS module is not in ModuleReady state"},
                           Row{11, 0, "state 11"}, Row{255, 7, "state 255, substate 7"},
                           Row{4, 1, "No cable, substate 1"}, Row{0, 7, "Autoneg, substate 7"}}) {
        const EthernetLink link = told(down(row.reason, row.detail), EthtoolQuestion::LinkState);
        CHECK(link.link_up == false);
        CHECK(link.down_reason == row.words);
    }
}

TEST_CASE("recorded answers about a port that is up and has no speed") {
    const auto recorded = [](const char* name) {
        return parse_hex_lines(slurp(std::string{FERRULE_RECORDED} + "/" + name)).value();
    };
    EthernetLink up{};
    up.link_up = true;
    CHECK(told(recorded("linkstate.hex"), EthtoolQuestion::LinkState) == up);
    CHECK(told(recorded("linkmodes.hex"), EthtoolQuestion::LinkModes) == EthernetLink{});
}

TEST_CASE("global pause is told where the driver has it") {
    CHECK(told(pause(0, 1, 0), EthtoolQuestion::Pause).pause == PauseState{false, true, false});
    CHECK(told(pause(1, 0, 1), EthtoolQuestion::Pause).pause == PauseState{true, false, true});
    CHECK_FALSE(told(answer(ETHTOOL_MSG_PAUSE_GET_REPLY, header()), EthtoolQuestion::Pause).pause);
}

TEST_CASE("error correction is told with the totals of its blocks") {
    const EthernetLink link = told(fec(ETHTOOL_LINK_MODE_FEC_RS_BIT), EthtoolQuestion::Fec);
    CHECK(link.fec == "RS");
    CHECK(link.fec_corrected == 30U);
    CHECK(link.fec_uncorrectable == 0x100000001U);
    CHECK(told(fec(ETHTOOL_LINK_MODE_FEC_NONE_BIT), EthtoolQuestion::Fec).fec == "Off");
    CHECK(told(fec(ETHTOOL_LINK_MODE_FEC_BASER_BIT), EthtoolQuestion::Fec).fec == "BaseR");
    CHECK(told(fec(ETHTOOL_LINK_MODE_FEC_LLRS_BIT), EthtoolQuestion::Fec).fec == "LLRS");
    CHECK(told(fec(200), EthtoolQuestion::Fec).fec == "mode 200");
    // Older kernels, and drivers that do not count.
    const EthernetLink bare = told(answer(ETHTOOL_MSG_FEC_GET_REPLY, nest(ETHTOOL_A_FEC_STATS, {})),
                                   EthtoolQuestion::Fec);
    CHECK(bare == EthernetLink{});
}

TEST_CASE("each answer adds to what the others told") {
    EthernetLink link{};
    link = decode_ethtool(modes(100000, 2), EthtoolQuestion::LinkModes, link).value();
    link = decode_ethtool(pause(0, 1, 1), EthtoolQuestion::Pause, link).value();
    link = decode_ethtool(fec(50), EthtoolQuestion::Fec, link).value();
    CHECK(link.speed == 100000U);
    CHECK(link.pause == PauseState{false, true, true});
    CHECK(link.fec == "RS");
}

TEST_CASE("refusals keep their number, and another message is no answer") {
    for (const EthtoolQuestion question : kEthtoolQuestions) {
        CHECK(decode_ethtool(refusal(EOPNOTSUPP), question, {}).error().code ==
              std::errc::operation_not_supported);
        CHECK(decode_ethtool(refusal(ENODEV), question, {}).error().code ==
              std::errc::no_such_device);
        CHECK(decode_ethtool({}, question, {}).error().code == std::errc::bad_message);
        CHECK(decode_ethtool(answer(99, header()), question, {}).error().code ==
              std::errc::bad_message);
    }
    CHECK(decode_ethtool(pause(0, 0, 0), EthtoolQuestion::Fec, {}).error().code ==
          std::errc::bad_message);
}

TEST_CASE("no prefix of an answer about a link is taken for one") {
    const std::array wholes{down(4, 0), modes(400000, 4), pause(1, 1, 1), fec(50)};
    for (std::size_t i = 0; i < wholes.size(); ++i) {
        for (std::size_t size = 0; size < wholes.at(i).size(); ++size) {
            CHECK(decode_ethtool(first_bytes(wholes.at(i), size), kEthtoolQuestions.at(i), {})
                      .error()
                      .code == std::errc::bad_message);
        }
    }
}

TEST_CASE("values of another size are left out, longer ones read as far as they are known") {
    const ByteList short_speed = answer(ETHTOOL_MSG_LINKMODES_GET_REPLY,
                                        attribute(ETHTOOL_A_LINKMODES_SPEED, std::uint16_t{100}));
    CHECK(told(short_speed, EthtoolQuestion::LinkModes) == EthernetLink{});
    const ByteList long_link =
        state(nest(ETHTOOL_A_LINKSTATE_LINK, list_of({1, 2, 3, 4, 5, 6, 7, 8, 9})));
    CHECK(told(long_link, EthtoolQuestion::LinkState).link_up == true);
    const ByteList empty_link = state(nest(ETHTOOL_A_LINKSTATE_LINK, {}));
    CHECK_FALSE(told(empty_link, EthtoolQuestion::LinkState).link_up);
}

TEST_CASE("the family's number is looked up by its name") {
    CHECK(encode_ethtool_family_request() ==
          list_of({32, 0, 0, 0, 16, 0, 1, 0, 0,   0,   0,   0,   0,   0,   0,   0,
                   3,  1, 0, 0, 12, 0, 2, 0, 'e', 't', 'h', 't', 'o', 'o', 'l', 0}));
    const auto family = [](const ByteList& attributes) {
        const genlmsghdr head{CTRL_CMD_NEWFAMILY, 2, 0};
        return decode_ethtool_family(encode_request({GENL_ID_CTRL, 0, bytes_of(head), attributes}));
    };
    CHECK(family(together({encode_attribute(CTRL_ATTR_FAMILY_NAME, "ethtool"),
                           attribute(CTRL_ATTR_FAMILY_ID, kFamily)})) == kFamily);
    CHECK(family({}).error().code == std::errc::bad_message);
    CHECK(decode_ethtool_family(refusal(ENOENT)).error().code ==
          std::errc::no_such_file_or_directory);
}

TEST_CASE("a question has its interface and its flags in a nest") {
    CHECK(encode_ethtool_request({kFamily, EthtoolQuestion::Fec, "eth0"}) ==
          list_of({44,  0,   0, 0, kFamily, 0,  1, 0, 0,    0, 0, 0, 0, 0,   0,
                   0,   29,  1, 0, 0,       24, 0, 1, 0x80, 9, 0, 2, 0, 'e', 't',
                   'h', '0', 0, 0, 0,       0,  8, 0, 3,    0, 5, 0, 0, 0}));
    CHECK(to_text(EthtoolQuestion::LinkState) == "linkstate");
    CHECK(to_text(EthtoolQuestion::Fec) == "fec");
}
