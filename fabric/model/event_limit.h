// How many events a site puts up with in how long a time.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace ferrule {

// More than `events` within `seconds` is too many.
struct EventLimit {
    std::uint64_t events{0};
    std::uint64_t seconds{0};

    bool operator==(const EventLimit&) const = default;
};

// "120/1h", "2/5m", "10/1s": a number, and a time in s, m, h or d that is not zero.
[[nodiscard]] std::optional<EventLimit> parse_event_limit(std::string_view text);
[[nodiscard]] std::string to_text(const EventLimit& limit);

// "30s", "5m", "12h", "1d" in seconds; nullopt without a unit.
[[nodiscard]] std::optional<std::uint64_t> parse_seconds(std::string_view text);
// The largest unit that leaves no rest.
[[nodiscard]] std::string seconds_text(std::uint64_t seconds);

}  // namespace ferrule
