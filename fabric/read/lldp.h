// A frame of the Link Layer Discovery Protocol, as a switch sends it to the host, into values.
// Pure; what waits for a frame is lldp_socket.h.
// Source: IEEE 802.1AB-2016 clauses 8 and 9; 802.1Q-2018 annex D; 802.3-2018 clause 79.
#pragma once

#include "fabric/base/result.h"
#include "fabric/model/lldp.h"

#include <cstddef>
#include <cstdint>
#include <span>

namespace ferrule {

// The code of the error for a frame by which the switch says that it goes away (TTL 0).
inline constexpr std::errc kLldpGoesAway = std::errc::connection_aborted;

// A frame with its Ethernet header, with or without VLAN tags. TLVs that are not known are skipped;
// so is the DCBX of before the standard. Texts are made printable.
//
// Errors: std::errc::bad_message where it is no LLDP frame, where a TLV does not fit in, or is too
// short for what it should hold, where chassis, port or time to live are missing; kLldpGoesAway.
[[nodiscard]] Result<LldpNeighbour> decode_lldp(std::span<const std::byte> frame);

// A TLV of type 127: `value` stands behind OUI and subtype.
struct OrganisationTlv {
    std::uint32_t oui{0};
    unsigned subtype{0};
    std::span<const std::byte> value{};
};

inline constexpr std::uint32_t kOui8021 = 0x0080c2;
inline constexpr std::uint32_t kOui8023 = 0x00120f;

// `neighbour` with what such a TLV tells of it; std::errc::bad_message where it is too short.
[[nodiscard]] Result<LldpNeighbour> with_organisation_tlv(LldpNeighbour neighbour,
                                                          const OrganisationTlv& tlv);

}  // namespace ferrule
