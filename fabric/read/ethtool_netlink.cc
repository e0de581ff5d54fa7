#include "fabric/read/ethtool_netlink.h"

#include "fabric/read/link_words.h"
#include "fabric/read/netlink_message.h"

#include <optional>

#include <linux/ethtool_netlink.h>
#include <linux/genetlink.h>

namespace ferrule {

namespace {

using Bytes = std::span<const std::byte>;
using Take = Result<EthernetLink> (*)(const std::vector<NetlinkAttribute>& attributes,
                                      EthernetLink link);

// SPEED_UNKNOWN of linux/ethtool.h as the unsigned number that the message holds.
constexpr std::uint32_t kSpeedUnknown = 0xffffffff;

template <typename Number>
std::optional<Number> number_of(const std::vector<NetlinkAttribute>& attributes, unsigned type) {
    for (const NetlinkAttribute& attribute : attributes) {
        if (attribute.type == type) {
            return header_of<Number>(attribute.value);
        }
    }
    return std::nullopt;
}

bool is_set(const std::vector<NetlinkAttribute>& attributes, unsigned type) {
    return number_of<std::uint8_t>(attributes, type).value_or(0) != 0;
}

Result<EthernetLink> take_state(const std::vector<NetlinkAttribute>& attributes,
                                EthernetLink link) {
    const auto up = number_of<std::uint8_t>(attributes, ETHTOOL_A_LINKSTATE_LINK);
    link.link_up = up ? std::optional{*up != 0} : link.link_up;
    const auto reason = number_of<std::uint8_t>(attributes, ETHTOOL_A_LINKSTATE_EXT_STATE);
    if (reason) {
        link.down_reason = link_down_words(
            *reason, number_of<std::uint8_t>(attributes, ETHTOOL_A_LINKSTATE_EXT_SUBSTATE));
    }
    return link;
}

Result<EthernetLink> take_modes(const std::vector<NetlinkAttribute>& attributes,
                                EthernetLink link) {
    const auto speed =
        number_of<std::uint32_t>(attributes, ETHTOOL_A_LINKMODES_SPEED).value_or(kSpeedUnknown);
    if (speed != 0 && speed != kSpeedUnknown) {
        link.speed = speed;
    }
    const auto lanes = number_of<std::uint32_t>(attributes, ETHTOOL_A_LINKMODES_LANES).value_or(0);
    if (lanes != 0) {
        link.lanes = lanes;
    }
    return link;
}

Result<EthernetLink> take_pause(const std::vector<NetlinkAttribute>& attributes,
                                EthernetLink link) {
    // All three come together, or the driver has none.
    if (number_of<std::uint8_t>(attributes, ETHTOOL_A_PAUSE_RX)) {
        link.pause = PauseState{is_set(attributes, ETHTOOL_A_PAUSE_AUTONEG),
                                is_set(attributes, ETHTOOL_A_PAUSE_RX),
                                is_set(attributes, ETHTOOL_A_PAUSE_TX)};
    }
    return link;
}

// Statistics are arrays of the total and the lanes' shares.
Result<EthernetLink> take_fec(const std::vector<NetlinkAttribute>& attributes, EthernetLink link) {
    if (const auto bit = number_of<std::uint32_t>(attributes, ETHTOOL_A_FEC_ACTIVE)) {
        link.fec = fec_words(*bit);
    }
    for (const NetlinkAttribute& attribute : attributes) {
        if (attribute.type == ETHTOOL_A_FEC_STATS) {
            const auto figures = TRY(attributes_of(attribute.value));
            link.fec_corrected = number_of<std::uint64_t>(figures, ETHTOOL_A_FEC_STAT_CORRECTED);
            link.fec_uncorrectable = number_of<std::uint64_t>(figures, ETHTOOL_A_FEC_STAT_UNCORR);
        }
    }
    return link;
}

struct Exchange {
    EthtoolQuestion question{};
    std::string_view name{};
    std::uint8_t command{0};
    std::uint8_t reply{0};
    // Of the request's header.
    unsigned short header{0};
    std::uint32_t flags{0};
    Take take{nullptr};
};

constexpr std::uint32_t kCompact = ETHTOOL_FLAG_COMPACT_BITSETS;

constexpr std::array<Exchange, 4> kExchanges{
    {{EthtoolQuestion::LinkState, "linkstate", ETHTOOL_MSG_LINKSTATE_GET,
      ETHTOOL_MSG_LINKSTATE_GET_REPLY, ETHTOOL_A_LINKSTATE_HEADER, kCompact, take_state},
     {EthtoolQuestion::LinkModes, "linkmodes", ETHTOOL_MSG_LINKMODES_GET,
      ETHTOOL_MSG_LINKMODES_GET_REPLY, ETHTOOL_A_LINKMODES_HEADER, kCompact, take_modes},
     {EthtoolQuestion::Pause, "pause", ETHTOOL_MSG_PAUSE_GET, ETHTOOL_MSG_PAUSE_GET_REPLY,
      ETHTOOL_A_PAUSE_HEADER, kCompact, take_pause},
     {EthtoolQuestion::Fec, "fec", ETHTOOL_MSG_FEC_GET, ETHTOOL_MSG_FEC_GET_REPLY,
      ETHTOOL_A_FEC_HEADER, kCompact | ETHTOOL_FLAG_STATS, take_fec}}};

const Exchange& exchange_of(EthtoolQuestion question) {
    return kExchanges.at(static_cast<std::size_t>(question));
}

// The attributes of the first message of generic netlink with this command.
Result<std::vector<NetlinkAttribute>> generic_attributes(Bytes bytes, std::uint8_t command) {
    for (const auto& [type, body] : TRY(messages_of(bytes, "ethtool"))) {
        const auto head = header_of<genlmsghdr>(body);
        if (type >= NLMSG_MIN_TYPE && head && head->cmd == command) {
            return attributes_of(body.subspan(sizeof(genlmsghdr)));
        }
    }
    return fail(std::errc::bad_message, "ethtool: no answer to what was asked");
}

}  // namespace

std::string_view to_text(EthtoolQuestion question) {
    return exchange_of(question).name;
}

std::vector<std::byte> encode_ethtool_family_request() {
    const genlmsghdr head{CTRL_CMD_GETFAMILY, 1, 0};
    const auto attributes = encode_attribute(CTRL_ATTR_FAMILY_NAME, ETHTOOL_GENL_NAME);
    return encode_request({GENL_ID_CTRL, 0, bytes_of(head), attributes});
}

Result<std::uint16_t> decode_ethtool_family(Bytes messages) {
    const auto attributes = TRY(generic_attributes(messages, CTRL_CMD_NEWFAMILY));
    const auto family = number_of<std::uint16_t>(attributes, CTRL_ATTR_FAMILY_ID);
    if (!family) {
        return fail(std::errc::bad_message, "ethtool: an answer without the family's number");
    }
    return *family;
}

std::vector<std::byte> encode_ethtool_request(const EthtoolRequest& request) {
    const Exchange& exchange = exchange_of(request.question);
    const genlmsghdr head{exchange.command, ETHTOOL_GENL_VERSION, 0};
    auto inner = encode_attribute(ETHTOOL_A_HEADER_DEV_NAME, request.netdev);
    const auto flags = encode_attribute(ETHTOOL_A_HEADER_FLAGS, bytes_of(exchange.flags));
    inner.insert(inner.end(), flags.begin(), flags.end());
    const auto attributes =
        encode_attribute(static_cast<unsigned short>(exchange.header | NLA_F_NESTED), inner);
    return encode_request({request.family, 0, bytes_of(head), attributes});
}

Result<EthernetLink> decode_ethtool(Bytes messages, EthtoolQuestion question, EthernetLink link) {
    const Exchange& exchange = exchange_of(question);
    return exchange.take(TRY(generic_attributes(messages, exchange.reply)), std::move(link));
}

}  // namespace ferrule
