#include "fabric/model/event_limit.h"

#include "fabric/base/text.h"

#include <array>

namespace ferrule {

namespace {

struct TimeUnit {
    char letter;
    std::uint64_t seconds;
};

constexpr std::array kUnits{TimeUnit{'d', 86400}, TimeUnit{'h', 3600}, TimeUnit{'m', 60},
                            TimeUnit{'s', 1}};
constexpr std::uint64_t kMostUnits = 10000;

}  // namespace

std::optional<std::uint64_t> parse_seconds(std::string_view text) {
    for (const TimeUnit& unit : kUnits) {
        if (text.ends_with(unit.letter)) {
            const auto number = parse_number<std::uint64_t>(text.substr(0, text.size() - 1));
            return number && *number <= kMostUnits ? std::optional{*number * unit.seconds}
                                                   : std::nullopt;
        }
    }
    return std::nullopt;
}

std::string seconds_text(std::uint64_t seconds) {
    for (const TimeUnit& unit : kUnits) {
        if (seconds != 0 && seconds % unit.seconds == 0) {
            return std::to_string(seconds / unit.seconds) + unit.letter;
        }
    }
    return "0s";
}

std::optional<EventLimit> parse_event_limit(std::string_view text) {
    const std::size_t slash = text.find('/');
    if (slash == std::string_view::npos) {
        return std::nullopt;
    }
    const auto events = parse_number<std::uint64_t>(trimmed(text.substr(0, slash)));
    const auto seconds = parse_seconds(trimmed(text.substr(slash + 1)));
    return events && seconds && *seconds > 0 ? std::optional{EventLimit{*events, *seconds}}
                                             : std::nullopt;
}

std::string to_text(const EventLimit& limit) {
    return std::to_string(limit.events) + "/" + seconds_text(limit.seconds);
}

}  // namespace ferrule
