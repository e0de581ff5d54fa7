#include "fabric/model/version_rule.h"

#include "fabric/base/text.h"

#include <algorithm>

namespace ferrule {

namespace {

bool is_digit(char letter) {
    return letter >= '0' && letter <= '9';
}

bool is_part(char letter) {
    return is_digit(letter) || (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z');
}

// Takes the next run of digits, or of letters, off the front.
std::string_view next_part(std::string_view& rest) {
    while (!rest.empty() && !is_part(rest.front())) {
        rest.remove_prefix(1);
    }
    std::size_t length = 0;
    while (length < rest.size() && is_part(rest[length]) &&
           is_digit(rest[length]) == is_digit(rest.front())) {
        ++length;
    }
    const std::string_view part = rest.substr(0, length);
    rest.remove_prefix(length);
    return part;
}

std::string_view without_zeros(std::string_view digits) {
    const std::size_t first = digits.find_first_not_of('0');
    return first == std::string_view::npos ? std::string_view{} : digits.substr(first);
}

std::strong_ordering compare_parts(std::string_view left, std::string_view right) {
    const bool numbers =
        !left.empty() && !right.empty() && is_digit(left.front()) && is_digit(right.front());
    if (!numbers) {
        return left <=> right;
    }
    const std::string_view a = without_zeros(left);
    const std::string_view b = without_zeros(right);
    return a.size() == b.size() ? a <=> b : a.size() <=> b.size();
}

}  // namespace

std::strong_ordering compare_versions(std::string_view left, std::string_view right) {
    while (!left.empty() || !right.empty()) {
        const auto order = compare_parts(next_part(left), next_part(right));
        if (order != std::strong_ordering::equal) {
            return order;
        }
    }
    return std::strong_ordering::equal;
}

bool VersionRule::fits(std::string_view candidate) const {
    const auto order = compare_versions(candidate, version);
    return match == VersionMatch::Exact ? order == std::strong_ordering::equal
                                        : order != std::strong_ordering::less;
}

std::optional<std::vector<VersionRule>> parse_version_rules(std::string_view text) {
    std::vector<VersionRule> rules;
    for (const std::string_view piece : split(text, ',')) {
        const std::string_view content = trimmed(piece);
        const bool open = content.ends_with('+');
        const std::string_view version = open ? content.substr(0, content.size() - 1) : content;
        if (version.empty() || !is_digit(version.front()) ||
            version.find(' ') != std::string_view::npos || version.ends_with(".x")) {
            return std::nullopt;
        }
        rules.push_back({std::string{version}, open ? VersionMatch::OrNewer : VersionMatch::Exact});
    }
    return rules.empty() ? std::nullopt : std::optional{std::move(rules)};
}

std::string to_text(const std::vector<VersionRule>& rules) {
    std::vector<std::string> texts;
    texts.reserve(rules.size());
    for (const VersionRule& rule : rules) {
        texts.push_back(rule.version + (rule.match == VersionMatch::OrNewer ? "+" : ""));
    }
    return joined(texts, " or ");
}

}  // namespace ferrule
