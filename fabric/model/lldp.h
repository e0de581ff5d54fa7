// What the switch says of itself in a frame of the Link Layer Discovery Protocol: the only view of
// it that a host has.
// Source: IEEE 802.1AB-2016; 802.1Q-2018 annex D (PFC, ETS, APP); 802.3-2018 clause 79.
#pragma once

#include "fabric/model/dcb.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ferrule {

struct LldpPfc {
    bool willing{false};
    bool macsec_bypass{false};
    unsigned capable{0};
    PrioritySet enabled{};

    bool operator==(const LldpPfc&) const = default;
};

struct LldpNeighbour {
    // As text; a MAC address as "0c:42:a1:...".
    std::string chassis_id{};
    std::string port_id{};
    std::string port_description{};
    std::string system_name{};
    unsigned ttl_seconds{0};
    // The VLAN of untagged frames (PVID).
    std::optional<std::uint16_t> vlan{};
    // The largest frame in bytes, Ethernet header and check sequence included: 1518 is MTU 1500.
    std::optional<unsigned> max_frame_size{};
    std::optional<LldpPfc> pfc{};
    std::optional<EtsState> ets{};
    std::optional<std::vector<AppEntry>> applications{};

    bool operator==(const LldpNeighbour&) const = default;
};

}  // namespace ferrule
