#include "fabric/read/dcb.h"

#include "fabric/read/netlink_message.h"

#include <algorithm>

#include <linux/dcbnl.h>
#include <linux/rtnetlink.h>

namespace ferrule {

namespace {

using Bytes = std::span<const std::byte>;

// The kind of entry for selectors above 15, newer than the headers of Linux 6.1.
constexpr unsigned kDcbApp = 2;

static_assert(sizeof(ieee_ets) == 59 && sizeof(ieee_pfc) == 136 && sizeof(dcbnl_buffer) == 44 &&
              sizeof(dcb_app) == 4);

std::optional<PfcState> pfc_of(Bytes value) {
    const auto raw = header_of<ieee_pfc>(value);
    if (!raw) {
        return std::nullopt;
    }
    PfcState pfc{raw->pfc_cap, {raw->pfc_en}, raw->mbc != 0, raw->delay, {}, {}};
    std::ranges::copy(raw->requests, pfc.sent.begin());
    std::ranges::copy(raw->indications, pfc.received.begin());
    return pfc;
}

std::optional<EtsState> ets_of(Bytes value) {
    const auto raw = header_of<ieee_ets>(value);
    if (!raw) {
        return std::nullopt;
    }
    EtsState ets{raw->willing != 0, raw->ets_cap, {}, {}, {}};
    std::ranges::copy(raw->tc_tx_bw, ets.bandwidth.begin());
    std::ranges::transform(raw->tc_tsa, ets.selection.begin(),
                           [](unsigned char code) { return TransmitSelection{code}; });
    std::ranges::copy(raw->prio_tc, ets.class_of_priority.begin());
    return ets;
}

std::optional<ReceiveBuffers> buffers_of(Bytes value) {
    const auto raw = header_of<dcbnl_buffer>(value);
    if (!raw) {
        return std::nullopt;
    }
    ReceiveBuffers buffers{};
    std::ranges::copy(raw->prio2buffer, buffers.buffer_of_priority.begin());
    std::ranges::copy(raw->buffer_size, buffers.sizes.begin());
    buffers.total = raw->total_size;
    return buffers;
}

// The protocol is in the host's byte order, other than in a frame.
Result<std::vector<AppEntry>> applications_of(Bytes value) {
    std::vector<AppEntry> table;
    const auto attributes = TRY(attributes_of(value));
    table.reserve(attributes.size());
    for (const NetlinkAttribute& attribute : attributes) {
        const auto raw = header_of<dcb_app>(attribute.value);
        if (raw && (attribute.type == DCB_ATTR_IEEE_APP || attribute.type == kDcbApp)) {
            table.push_back({AppSelector{raw->selector}, raw->protocol, raw->priority});
        }
    }
    return table;
}

Result<DcbState> with_ieee(DcbState state, Bytes value) {
    for (const NetlinkAttribute& attribute : TRY(attributes_of(value))) {
        switch (attribute.type) {
            case DCB_ATTR_IEEE_PFC:
                state.pfc = pfc_of(attribute.value);
                break;
            case DCB_ATTR_IEEE_ETS:
                state.ets = ets_of(attribute.value);
                break;
            case DCB_ATTR_IEEE_APP_TABLE:
                state.applications = TRY(applications_of(attribute.value));
                break;
            case DCB_ATTR_DCB_BUFFER:
                state.buffers = buffers_of(attribute.value);
                break;
            default:
                break;
        }
    }
    return state;
}

Result<DcbState> state_of(Bytes attributes) {
    DcbState state{};
    for (const NetlinkAttribute& attribute : TRY(attributes_of(attributes))) {
        if (attribute.type == DCB_ATTR_IEEE) {
            state = TRY(with_ieee(std::move(state), attribute.value));
        } else if (attribute.type == DCB_ATTR_DCBX) {
            state.dcbx = header_of<std::uint8_t>(attribute.value);
        }
    }
    return state;
}

}  // namespace

std::vector<std::byte> encode_dcb_request(std::string_view netdev) {
    dcbmsg head{};
    head.cmd = DCB_CMD_IEEE_GET;
    const auto attributes = encode_attribute(DCB_ATTR_IFNAME, netdev);
    return encode_request({RTM_GETDCB, 0, bytes_of(head), attributes});
}

Result<DcbState> decode_dcb(Bytes messages) {
    for (const auto& [type, body] : TRY(messages_of(messages, "dcb"))) {
        const auto head = header_of<dcbmsg>(body);
        if (type == RTM_GETDCB && head && head->cmd == DCB_CMD_IEEE_GET) {
            return state_of(body.subspan(sizeof(dcbmsg)));
        }
    }
    return fail(std::errc::bad_message, "dcb: no answer to what was asked");
}

}  // namespace ferrule
