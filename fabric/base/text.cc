#include "fabric/base/text.h"

#include <algorithm>
#include <array>

namespace ferrule {

namespace {

constexpr std::string_view kBlank = " \t\r\n";

bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

// Length of the run of digits at the start of `text`.
std::size_t digit_run(std::string_view text) {
    return static_cast<std::size_t>(std::ranges::find_if_not(text, is_digit) - text.begin());
}

std::string_view without_leading_zeros(std::string_view digits) {
    const std::size_t first = digits.find_first_not_of('0');
    return first == std::string_view::npos ? std::string_view{} : digits.substr(first);
}

}  // namespace

std::string_view trimmed(std::string_view text) {
    const std::size_t first = text.find_first_not_of(kBlank);
    if (first == std::string_view::npos) {
        return {};
    }
    return text.substr(first, text.find_last_not_of(kBlank) - first + 1);
}

std::vector<std::string_view> split(std::string_view text, char separator) {
    std::vector<std::string_view> pieces;
    while (!text.empty()) {
        const std::size_t end = text.find(separator);
        pieces.push_back(text.substr(0, end));
        if (end == std::string_view::npos) {
            return pieces;
        }
        text.remove_prefix(end + 1);
        if (text.empty()) {
            pieces.emplace_back();
        }
    }
    return pieces;
}

std::vector<std::string_view> words(std::string_view text) {
    std::vector<std::string_view> found;
    std::size_t at = text.find_first_not_of(kBlank);
    while (at != std::string_view::npos) {
        const std::size_t end = text.find_first_of(kBlank, at);
        found.push_back(text.substr(at, end - at));
        at = text.find_first_not_of(kBlank, end);
    }
    return found;
}

std::string joined(const std::vector<std::string>& pieces, std::string_view separator) {
    std::string text;
    for (const std::string& piece : pieces) {
        if (&piece != &pieces.front()) {
            text += separator;
        }
        text += piece;
    }
    return text;
}

bool natural_less(std::string_view left, std::string_view right) {
    const std::string_view whole_left = left;
    const std::string_view whole_right = right;
    while (!left.empty() && !right.empty()) {
        if (is_digit(left.front()) && is_digit(right.front())) {
            const std::size_t left_run = digit_run(left);
            const std::size_t right_run = digit_run(right);
            const std::string_view a = without_leading_zeros(left.substr(0, left_run));
            const std::string_view b = without_leading_zeros(right.substr(0, right_run));
            if (a != b) {
                return a.size() != b.size() ? a.size() < b.size() : a < b;
            }
            left.remove_prefix(left_run);
            right.remove_prefix(right_run);
            continue;
        }
        if (left.front() != right.front()) {
            return left.front() < right.front();
        }
        left.remove_prefix(1);
        right.remove_prefix(1);
    }
    if (left.empty() != right.empty()) {
        return left.empty();
    }
    return whole_left < whole_right;
}

std::string printable(std::string_view text, std::size_t limit) {
    constexpr std::string_view kHex = "0123456789abcdef";
    std::string shown;
    for (const char c : text) {
        if (shown.size() >= limit) {
            return shown + "...";
        }
        const auto byte = static_cast<unsigned char>(c);
        if (byte >= 0x20 && byte < 0x7f && c != '\\') {
            shown += c;
        } else {
            shown += "\\x";
            shown += kHex[byte >> 4U];
            shown += kHex[byte & 0xfU];
        }
    }
    return shown;
}

}  // namespace ferrule
