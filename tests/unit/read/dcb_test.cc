#include "fabric/read/dcb.h"

#include "tests/support/catch.h"
#include "tests/support/netlink.h"

#include <cerrno>

#include <linux/dcbnl.h>
#include <linux/rtnetlink.h>

using namespace ferrule;
using namespace ferrule::testing;

namespace {

constexpr unsigned kDcbApp = 2;

ByteList answer(const ByteList& attributes, std::uint8_t command = DCB_CMD_IEEE_GET) {
    dcbmsg head{};
    head.cmd = command;
    return encode_request({RTM_GETDCB, 0, bytes_of(head), attributes});
}

ieee_pfc pfc_of_priority_3() {
    ieee_pfc pfc{};
    pfc.pfc_cap = 8;
    pfc.pfc_en = 1U << 3U;
    pfc.delay = 7;
    pfc.requests[3] = 0x100000002;
    pfc.indications[3] = 11;
    return pfc;
}

// As mlx5 answers with trust dscp: classes 0 and 1 swapped, the vendor's selection.
ieee_ets swapped_classes() {
    ieee_ets ets{};
    ets.ets_cap = 8;
    for (std::uint8_t i = 0; i < 8; ++i) {
        ets.prio_tc[i] = i < 2 ? static_cast<std::uint8_t>(1 - i) : i;
        ets.tc_tsa[i] = IEEE_8021QAZ_TSA_VENDOR;
        ets.tc_tx_bw[i] = static_cast<std::uint8_t>(10 + i);
    }
    return ets;
}

ByteList whole_answer() {
    dcbnl_buffer buffers{};
    buffers.prio2buffer[3] = 1;
    buffers.buffer_size[0] = 130944;
    buffers.buffer_size[1] = 130945;
    buffers.total_size = 262016;
    const dcb_app dscp{IEEE_8021QAZ_APP_SEL_DSCP, 3, 26};
    const dcb_app pcp{255, 5, 5};
    const ByteList ieee = together(
        {attribute(DCB_ATTR_IEEE_ETS, swapped_classes()),
         attribute(DCB_ATTR_IEEE_MAXRATE, ieee_maxrate{}),
         attribute(DCB_ATTR_IEEE_PFC, pfc_of_priority_3()), attribute(DCB_ATTR_DCB_BUFFER, buffers),
         nest(DCB_ATTR_IEEE_APP_TABLE,
              together({attribute(DCB_ATTR_IEEE_APP, dscp), attribute(kDcbApp, pcp)}))});
    return answer(together({encode_attribute(DCB_ATTR_IFNAME, "eth0"), nest(DCB_ATTR_IEEE, ieee),
                            attribute(DCB_ATTR_DCBX, std::uint8_t{0x0d})}));
}

}  // namespace

TEST_CASE("a whole answer gives PFC, ETS, applications, buffers and DCBX") {
    const DcbState state = decode_dcb(whole_answer()).value();
    const PfcState pfc = state.pfc.value();
    CHECK(pfc.capable == 8);
    CHECK(pfc.enabled == PrioritySet{1U << 3U});
    CHECK_FALSE(pfc.macsec_bypass);
    CHECK(pfc.delay == 7);
    CHECK(pfc.sent[3] == 0x100000002);
    CHECK(pfc.received[3] == 11);
    const EtsState ets = state.ets.value();
    CHECK(ets.classes == 8);
    CHECK(ets.class_of_priority == std::array<std::uint8_t, 8>{1, 0, 2, 3, 4, 5, 6, 7});
    CHECK(ets.bandwidth[7] == 17);
    CHECK(ets.selection[0] == TransmitSelection::Vendor);
    CHECK(state.applications ==
          std::vector<AppEntry>{{AppSelector::Dscp, 26, 3}, {AppSelector::Pcp, 5, 5}});
    const ReceiveBuffers buffers = state.buffers.value();
    CHECK(buffers.buffer_of_priority[3] == 1);
    CHECK(buffers.sizes[1] == 130945);
    CHECK(buffers.total == 262016);
    CHECK(state.dcbx == 0x0d);
}

TEST_CASE("what a driver leaves out is absent, and an empty table is a table") {
    CHECK(decode_dcb(answer({})).value() == DcbState{});
    const DcbState state =
        decode_dcb(answer(nest(DCB_ATTR_IEEE, nest(DCB_ATTR_IEEE_APP_TABLE, {})))).value();
    CHECK(state.applications == std::vector<AppEntry>{});
    CHECK_FALSE(state.pfc);
}

TEST_CASE("nests with their flag read like those without") {
    const ByteList ieee =
        nest(DCB_ATTR_IEEE | NLA_F_NESTED,
             nest(DCB_ATTR_IEEE_APP_TABLE | NLA_F_NESTED,
                  attribute(DCB_ATTR_IEEE_APP, dcb_app{IEEE_8021QAZ_APP_SEL_DSCP, 3, 24})));
    CHECK(decode_dcb(answer(ieee)).value().applications ==
          std::vector<AppEntry>{{AppSelector::Dscp, 24, 3}});
}

TEST_CASE("a shorter structure is left out, a longer one read as far as it is known") {
    const ByteList pfc = copy_of(pfc_of_priority_3());
    for (std::size_t size = 0; size < pfc.size(); ++size) {
        const ByteList ieee = nest(DCB_ATTR_IEEE, nest(DCB_ATTR_IEEE_PFC, first_bytes(pfc, size)));
        CHECK_FALSE(decode_dcb(answer(ieee)).value().pfc);
    }
    const ByteList longer = together({pfc, list_of({1, 2, 3, 4, 5})});
    CHECK(decode_dcb(answer(nest(DCB_ATTR_IEEE, nest(DCB_ATTR_IEEE_PFC, longer))))
              .value()
              .pfc.value()
              .received[3] == 11);
    const ByteList short_ets = nest(DCB_ATTR_IEEE_ETS, first_bytes(copy_of(ieee_ets{}), 58));
    const ByteList short_app =
        nest(DCB_ATTR_IEEE_APP_TABLE, nest(DCB_ATTR_IEEE_APP, list_of({5, 3, 26})));
    const DcbState state =
        decode_dcb(answer(nest(DCB_ATTR_IEEE, together({short_ets, short_app})))).value();
    CHECK_FALSE(state.ets);
    CHECK(state.applications == std::vector<AppEntry>{});
}

TEST_CASE("a driver without DCB is told from bytes that are no answer") {
    CHECK(decode_dcb(refusal(EOPNOTSUPP)).error().code == std::errc::operation_not_supported);
    CHECK(decode_dcb(refusal(ENODEV)).error().code == std::errc::no_such_device);
    CHECK(decode_dcb({}).error().code == std::errc::bad_message);
    CHECK(decode_dcb(answer({}, DCB_CMD_CEE_GET)).error().code == std::errc::bad_message);
}

TEST_CASE("no prefix of an answer about DCB is taken for one") {
    const ByteList whole = whole_answer();
    for (std::size_t size = 0; size < whole.size(); ++size) {
        CHECK(decode_dcb(first_bytes(whole, size)).error().code == std::errc::bad_message);
    }
}

TEST_CASE("an attribute that leads out of its nest is an error") {
    ByteList inner = attribute(DCB_ATTR_IEEE_APP, dcb_app{5, 3, 26});
    inner.front() = std::byte{9};
    const auto state =
        decode_dcb(answer(nest(DCB_ATTR_IEEE, nest(DCB_ATTR_IEEE_APP_TABLE, inner))));
    REQUIRE_FALSE(state);
    CHECK(state.error().code == std::errc::bad_message);
}

TEST_CASE("the question names the interface behind the command") {
    CHECK(encode_dcb_request("eth0") == list_of({32,
                                                 0,
                                                 0,
                                                 0,
                                                 RTM_GETDCB,
                                                 0,
                                                 1,
                                                 0,
                                                 0,
                                                 0,
                                                 0,
                                                 0,
                                                 0,
                                                 0,
                                                 0,
                                                 0,
                                                 0,
                                                 DCB_CMD_IEEE_GET,
                                                 0,
                                                 0,
                                                 9,
                                                 0,
                                                 DCB_ATTR_IFNAME,
                                                 0,
                                                 'e',
                                                 't',
                                                 'h',
                                                 '0',
                                                 0,
                                                 0,
                                                 0,
                                                 0}));
}
