#include "fabric/nccl/numbers.h"

#include <algorithm>
#include <charconv>
#include <string>

namespace ferrule {

namespace {

// As strtoll with base 0 finds it.
int take_base(std::string_view& text) {
    constexpr int kOctal = 8;
    constexpr int kDecimal = 10;
    constexpr int kHexadecimal = 16;
    if (text.starts_with("0x") || text.starts_with("0X")) {
        text.remove_prefix(2);
        return kHexadecimal;
    }
    return text.starts_with('0') ? kOctal : kDecimal;
}

}  // namespace

std::optional<std::int64_t> c_number(std::string_view text) {
    text.remove_prefix(std::min(text.find_first_not_of(" \t\n\v\f\r"), text.size()));
    const bool negative = text.starts_with('-');
    if (negative || text.starts_with('+')) {
        text.remove_prefix(1);
    }
    const int base = take_base(text);
    std::int64_t number = 0;
    const char* const end = text.data() + text.size();
    // NOLINTNEXTLINE(bugprone-suspicious-stringview-data-usage): the end is given
    const auto [rest, error] = std::from_chars(text.data(), end, number, base);
    if (error == std::errc::result_out_of_range) {
        return std::nullopt;
    }
    return negative ? -number : number;
}

std::int64_t nccl_number(const Environment& environment, std::string_view name,
                         std::int64_t by_default) {
    const std::string text = value_of(environment, name);
    return text.empty() ? by_default : c_number(text).value_or(by_default);
}

}  // namespace ferrule
