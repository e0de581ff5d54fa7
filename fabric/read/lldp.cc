#include "fabric/read/lldp.h"

#include "fabric/read/lldp_text.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>

namespace ferrule {

namespace {

using Bytes = std::span<const std::byte>;
using Take = Result<LldpNeighbour> (*)(LldpNeighbour neighbour, Bytes value);

constexpr std::size_t kAddresses = 12;
constexpr unsigned kEthertypeLldp = 0x88cc;
constexpr std::array kVlanTags{0x8100U, 0x88a8U};
constexpr unsigned kTypeOrganisation = 127;
constexpr unsigned kAllClasses = 8;

// Both want `at` and what they read to be inside.
unsigned byte_at(Bytes bytes, std::size_t at) {
    return std::to_integer<unsigned>(bytes[at]);
}

unsigned word_at(Bytes bytes, std::size_t at) {
    return (byte_at(bytes, at) << 8U) | byte_at(bytes, at + 1);
}

tl::unexpected<Error> malformed(std::string_view what) {
    return fail(std::errc::bad_message, "lldp: " + std::string{what});
}

Result<LldpNeighbour> take_chassis(LldpNeighbour neighbour, Bytes value) {
    neighbour.chassis_id = chassis_id_text(byte_at(value, 0), value.subspan(1));
    return neighbour;
}

Result<LldpNeighbour> take_port(LldpNeighbour neighbour, Bytes value) {
    neighbour.port_id = port_id_text(byte_at(value, 0), value.subspan(1));
    return neighbour;
}

Result<LldpNeighbour> take_ttl(LldpNeighbour neighbour, Bytes value) {
    neighbour.ttl_seconds = word_at(value, 0);
    return neighbour;
}

Result<LldpNeighbour> take_port_description(LldpNeighbour neighbour, Bytes value) {
    neighbour.port_description = lldp_text(value);
    return neighbour;
}

Result<LldpNeighbour> take_system_name(LldpNeighbour neighbour, Bytes value) {
    neighbour.system_name = lldp_text(value);
    return neighbour;
}

// VLAN 0 says that untagged frames have none.
Result<LldpNeighbour> take_vlan(LldpNeighbour neighbour, Bytes value) {
    const auto vlan = static_cast<std::uint16_t>(word_at(value, 0));
    neighbour.vlan = vlan == 0 ? std::nullopt : std::optional{vlan};
    return neighbour;
}

// Willing, credit shaper, the number of classes; a nibble a priority; bandwidth and selection, a
// byte a class.
Result<LldpNeighbour> take_ets(LldpNeighbour neighbour, Bytes value) {
    constexpr std::size_t kMap = 1;
    constexpr std::size_t kBandwidth = 5;
    constexpr std::size_t kSelection = 13;
    EtsState ets{};
    ets.willing = (byte_at(value, 0) & 0x80U) != 0;
    const unsigned classes = byte_at(value, 0) & 7U;
    ets.classes = classes == 0 ? kAllClasses : classes;
    for (std::size_t i = 0; i < kPriorities; ++i) {
        const unsigned pair = byte_at(value, kMap + (i / 2));
        ets.class_of_priority.at(i) =
            static_cast<std::uint8_t>(i % 2 == 0 ? pair >> 4U : pair & 0xfU);
        ets.bandwidth.at(i) = static_cast<std::uint8_t>(byte_at(value, kBandwidth + i));
        ets.selection.at(i) = static_cast<TransmitSelection>(byte_at(value, kSelection + i));
    }
    neighbour.ets = ets;
    return neighbour;
}

Result<LldpNeighbour> take_pfc(LldpNeighbour neighbour, Bytes value) {
    const unsigned first = byte_at(value, 0);
    neighbour.pfc = LldpPfc{(first & 0x80U) != 0,
                            (first & 0x40U) != 0,
                            first & 0xfU,
                            {static_cast<std::uint8_t>(byte_at(value, 1))}};
    return neighbour;
}

// A reserved byte; then priority and selector in one byte, and the protocol.
Result<LldpNeighbour> take_applications(LldpNeighbour neighbour, Bytes value) {
    constexpr std::size_t kEntry = 3;
    std::vector<AppEntry> table;
    for (Bytes rest = value.subspan(1); !rest.empty(); rest = rest.subspan(kEntry)) {
        if (rest.size() < kEntry) {
            return malformed("applications cut short");
        }
        table.push_back({static_cast<AppSelector>(byte_at(rest, 0) & 7U),
                         static_cast<std::uint16_t>(word_at(rest, 1)),
                         static_cast<std::uint8_t>(byte_at(rest, 0) >> 5U)});
    }
    neighbour.applications = std::move(table);
    return neighbour;
}

Result<LldpNeighbour> take_frame_size(LldpNeighbour neighbour, Bytes value) {
    neighbour.max_frame_size = word_at(value, 0);
    return neighbour;
}

// What a kind of TLV holds at the least, and who takes it.
struct Kind {
    std::uint32_t oui{0};
    // Type, or subtype of an organisation.
    unsigned type{0};
    std::size_t least{0};
    std::string_view what{};
    Take take{nullptr};
};

// Stands for the types of the standard itself; no OUI has so many bits.
constexpr std::uint32_t kNoOui = 0xffffffff;

constexpr std::array<Kind, 10> kKinds{{{kNoOui, 1, 2, "chassis", take_chassis},
                                       {kNoOui, 2, 2, "port", take_port},
                                       {kNoOui, 3, 2, "time to live", take_ttl},
                                       {kNoOui, 4, 0, "port description", take_port_description},
                                       {kNoOui, 5, 0, "system name", take_system_name},
                                       {kOui8021, 1, 2, "VLAN", take_vlan},
                                       {kOui8021, 9, 21, "ETS", take_ets},
                                       {kOui8021, 11, 2, "PFC", take_pfc},
                                       {kOui8021, 12, 1, "applications", take_applications},
                                       {kOui8023, 4, 2, "frame size", take_frame_size}}};

Result<LldpNeighbour> with_kind(LldpNeighbour neighbour, const OrganisationTlv& tlv) {
    const auto* const kind = std::ranges::find_if(
        kKinds, [&](const Kind& it) { return it.oui == tlv.oui && it.type == tlv.subtype; });
    if (kind == kKinds.end()) {
        return neighbour;
    }
    if (tlv.value.size() < kind->least) {
        return malformed(std::string{kind->what} + " cut short");
    }
    return kind->take(std::move(neighbour), tlv.value);
}

// Type 127 with its OUI and subtype; others have none, and their own type instead.
Result<OrganisationTlv> tlv_of(unsigned type, Bytes value) {
    constexpr std::size_t kHead = 4;
    if (type != kTypeOrganisation) {
        return OrganisationTlv{kNoOui, type, value};
    }
    if (value.size() < kHead) {
        return malformed("a TLV without its organisation");
    }
    return OrganisationTlv{(word_at(value, 0) << 8U) | byte_at(value, 2), byte_at(value, 3),
                           value.subspan(kHead)};
}

// What stands behind the Ethernet header.
Result<Bytes> payload_of(Bytes frame) {
    constexpr std::size_t kType = 2;
    constexpr std::size_t kTag = 4;
    if (frame.size() < kAddresses + kType) {
        return malformed("no frame of it");
    }
    Bytes rest = frame.subspan(kAddresses);
    while (std::ranges::count(kVlanTags, word_at(rest, 0)) > 0 && rest.size() >= kTag + kType) {
        rest = rest.subspan(kTag);
    }
    if (word_at(rest, 0) != kEthertypeLldp) {
        return malformed("no frame of it");
    }
    return rest.subspan(kType);
}

// Types 1 to 3, which no frame lacks.
constexpr unsigned kMandatory = 0b1110;

Result<LldpNeighbour> judged(LldpNeighbour neighbour, unsigned seen) {
    if ((seen & kMandatory) != kMandatory) {
        return malformed("a frame without chassis, port or time to live");
    }
    if (neighbour.ttl_seconds == 0) {
        return fail(kLldpGoesAway, "lldp: the neighbour says that it goes away");
    }
    return neighbour;
}

}  // namespace

Result<LldpNeighbour> with_organisation_tlv(LldpNeighbour neighbour, const OrganisationTlv& tlv) {
    if (tlv.oui == kNoOui) {
        return neighbour;
    }
    return with_kind(std::move(neighbour), tlv);
}

Result<LldpNeighbour> decode_lldp(Bytes frame) {
    constexpr std::size_t kHeader = 2;
    constexpr unsigned kLengthBits = 9;
    LldpNeighbour neighbour{};
    unsigned seen = 0;
    Bytes rest = TRY(payload_of(frame));
    while (rest.size() >= kHeader && word_at(rest, 0) != 0) {
        const unsigned type = word_at(rest, 0) >> kLengthBits;
        const std::size_t length = word_at(rest, 0) & ((1U << kLengthBits) - 1);
        if (length > rest.size() - kHeader) {
            return malformed("a TLV that leads out of its frame");
        }
        seen |= type <= 3 ? 1U << type : 0U;
        const auto tlv = TRY(tlv_of(type, rest.subspan(kHeader, length)));
        neighbour = TRY(with_kind(std::move(neighbour), tlv));
        rest = rest.subspan(kHeader + length);
    }
    if (rest.size() == 1) {
        return malformed("a TLV cut short");
    }
    return judged(std::move(neighbour), seen);
}

}  // namespace ferrule
