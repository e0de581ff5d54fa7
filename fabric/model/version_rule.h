// Versions of firmware and drivers, compared as versions: 28.9 is older than 28.39.
#pragma once

#include <compare>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ferrule {

// By the runs of digits and of letters between dots, dashes and the like; a missing part is older
// than any.
[[nodiscard]] std::strong_ordering compare_versions(std::string_view left, std::string_view right);

enum class VersionMatch { Exact, OrNewer };

// "28.39.1002", or "28.39.1002+" for that and anything newer.
struct VersionRule {
    std::string version{};
    VersionMatch match{VersionMatch::Exact};

    [[nodiscard]] bool fits(std::string_view candidate) const;

    bool operator==(const VersionRule&) const = default;
};

// Alternatives, separated by commas; nullopt for an empty one, or one without a digit.
[[nodiscard]] std::optional<std::vector<VersionRule>> parse_version_rules(std::string_view text);
[[nodiscard]] std::string to_text(const std::vector<VersionRule>& rules);

}  // namespace ferrule
