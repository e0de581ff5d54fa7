#include "fabric/model/number_range.h"

#include "fabric/base/text.h"

namespace ferrule {

namespace {

std::optional<std::uint64_t> parse_scaled(std::string_view text, Unit unit) {
    constexpr std::uint64_t kMost = std::numeric_limits<std::uint64_t>::max() / 100;
    const std::size_t dot = text.find('.');
    const auto whole = parse_number<std::uint64_t>(text.substr(0, dot));
    if (!whole || *whole > kMost) {
        return std::nullopt;
    }
    const std::uint64_t scaled = *whole * static_cast<std::uint64_t>(unit);
    if (dot == std::string_view::npos) {
        return scaled;
    }
    const auto tenths = parse_number<unsigned>(text.substr(dot + 1));
    const bool one_digit = text.size() == dot + 2;
    return unit == Unit::Tenth && tenths && one_digit ? std::optional{scaled + *tenths}
                                                      : std::nullopt;
}

std::string scaled_text(std::uint64_t value, Unit unit) {
    const auto scale = static_cast<std::uint64_t>(unit);
    const std::string whole = std::to_string(value / scale);
    return value % scale == 0 ? whole : whole + "." + std::to_string(value % scale);
}

}  // namespace

std::optional<NumberRange> parse_number_range(std::string_view text, Unit unit) {
    const std::string_view content = trimmed(text);
    const bool open = content.ends_with('+');
    const std::string_view body = open ? content.substr(0, content.size() - 1) : content;
    const std::size_t dash = body.find('-');
    const auto low = parse_scaled(trimmed(body.substr(0, dash)), unit);
    if (!low) {
        return std::nullopt;
    }
    if (open) {
        return dash == std::string_view::npos
                   ? std::optional{NumberRange{*low, std::numeric_limits<std::uint64_t>::max()}}
                   : std::nullopt;
    }
    const auto high =
        dash == std::string_view::npos ? low : parse_scaled(trimmed(body.substr(dash + 1)), unit);
    return high && *high >= *low ? std::optional{NumberRange{*low, *high}} : std::nullopt;
}

std::string to_text(const NumberRange& range, Unit unit) {
    if (range.low == range.high) {
        return scaled_text(range.low, unit);
    }
    if (range.high == std::numeric_limits<std::uint64_t>::max()) {
        return scaled_text(range.low, unit) + "+";
    }
    return scaled_text(range.low, unit) + "-" + scaled_text(range.high, unit);
}

}  // namespace ferrule
