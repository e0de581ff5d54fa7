// The names in an LLDP frame as text. Pure.
// Source: IEEE 802.1AB-2016, 8.5.2.2 and 8.5.3.2, the subtypes of chassis and port identifiers.
#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace ferrule {

// A MAC address as "0c:42:a1:...", a network address as that, anything else as printable text.
[[nodiscard]] std::string chassis_id_text(unsigned subtype, std::span<const std::byte> id);
[[nodiscard]] std::string port_id_text(unsigned subtype, std::span<const std::byte> id);

// Without the NULs that some switches put behind it; what does not print as \xNN.
[[nodiscard]] std::string lldp_text(std::span<const std::byte> value);

}  // namespace ferrule
