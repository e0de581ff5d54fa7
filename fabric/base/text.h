// Small, allocation-shy helpers over text. No word of the domain, no locale.
#pragma once

#include <charconv>
#include <concepts>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ferrule {

// Without blanks, tabs and line ends at both sides.
[[nodiscard]] std::string_view trimmed(std::string_view text);

// The pieces between separators; "a,,b" has an empty one, "" has none.
[[nodiscard]] std::vector<std::string_view> split(std::string_view text, char separator);

// The pieces between runs of blanks and tabs; never an empty one.
[[nodiscard]] std::vector<std::string_view> words(std::string_view text);

// The pieces point into the text, so it must not be a temporary.
template <std::same_as<std::string> Temporary>
std::vector<std::string_view> split(Temporary&& text, char separator) = delete;
template <std::same_as<std::string> Temporary>
std::vector<std::string_view> words(Temporary&& text) = delete;

[[nodiscard]] std::string joined(const std::vector<std::string>& pieces,
                                 std::string_view separator);

// Order for names people read: runs of digits compare as numbers, so mlx5_2 comes before mlx5_10.
// Equal only for equal text ("a01" and "a1" differ).
[[nodiscard]] bool natural_less(std::string_view left, std::string_view right);

// The same text with control characters, backslashes and non-ASCII bytes as \xNN, cut at `limit`
// bytes with "..." behind; for text of foreign origin in messages.
[[nodiscard]] std::string printable(std::string_view text, std::size_t limit = 200);

// The whole text as a number in the given base; nullopt for anything else, overflow included.
template <std::integral T>
[[nodiscard]] std::optional<T> parse_number(std::string_view text, int base = 10) {
    T value{};
    const char* const end = text.data() + text.size();
    // NOLINTNEXTLINE(bugprone-suspicious-stringview-data-usage): the end is given
    const auto [rest, error] = std::from_chars(text.data(), end, value, base);
    if (error != std::errc{} || rest != end || text.empty()) {
        return std::nullopt;
    }
    return value;
}

// Decimal, or hexadecimal behind "0x".
template <std::integral T>
[[nodiscard]] std::optional<T> parse_c_number(std::string_view text) {
    if (text.starts_with("0x") || text.starts_with("0X")) {
        return parse_number<T>(text.substr(2), 16);
    }
    return parse_number<T>(text);
}

}  // namespace ferrule
