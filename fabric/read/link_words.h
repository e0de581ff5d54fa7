// The kernel's numbers for why a link is down, and for its error correction, in ethtool's words.
// Pure.
// Source: enum ethtool_link_ext_state and its substates, link mode bits of linux/ethtool.h of
// Linux 6.1.
#pragma once

#include <optional>
#include <string>

namespace ferrule {

// "No cable"; "Autoneg, No partner detected"; an unknown number prints itself: "state 40".
[[nodiscard]] std::string link_down_words(unsigned state, std::optional<unsigned> substate);

// Of a link mode bit: "Off", "RS", "BaseR", "LLRS"; "mode 90" for an unknown one.
[[nodiscard]] std::string fec_words(unsigned link_mode_bit);

}  // namespace ferrule
