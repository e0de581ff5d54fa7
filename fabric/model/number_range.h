// A number that a site wants: "9000" exactly, "9000+" at least, "40-100" between.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

namespace ferrule {

// Bounds included.
struct NumberRange {
    std::uint64_t low{0};
    std::uint64_t high{std::numeric_limits<std::uint64_t>::max()};

    [[nodiscard]] bool contains(std::uint64_t value) const { return value >= low && value <= high; }

    bool operator==(const NumberRange&) const = default;
};

// How many units of the range one of the text is: rates are kept in tenths, since 2.5 exists.
enum class Unit : std::uint8_t { One = 1, Tenth = 10 };

[[nodiscard]] std::optional<NumberRange> parse_number_range(std::string_view text,
                                                            Unit unit = Unit::One);
[[nodiscard]] std::string to_text(const NumberRange& range, Unit unit = Unit::One);

}  // namespace ferrule
