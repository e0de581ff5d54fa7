// The statistics that a driver names itself, as `ethtool -S` prints them: strings and values into
// counters, and counters as text and back. Pure.
// Source: struct ethtool_gstrings and ethtool_stats of linux/ethtool.h of Linux 6.1.
#pragma once

#include "fabric/base/result.h"
#include "fabric/model/counter.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace ferrule {

// ETH_GSTRING_LEN: a name, with NULs behind it.
inline constexpr std::size_t kStatisticNameSize = 32;

// One counter a value, in order. A name ends at its NUL, and has no blanks around it and no bytes
// that do not print; a figure without a name is left out. Fewer names than values, or more, is
// std::errc::bad_message.
[[nodiscard]] Result<Counters> counters_of(std::span<const std::byte> names,
                                           std::span<const std::uint64_t> values);

// A line "name: value" each.
[[nodiscard]] std::string format_statistics(const Counters& counters);

// The same back, and what `ethtool -S` prints. The value stands behind the last colon, since names
// may hold one. Any other line is std::errc::bad_message, with its number.
[[nodiscard]] Result<Counters> parse_statistics(std::string_view text);

}  // namespace ferrule
