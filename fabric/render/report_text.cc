#include "fabric/base/text.h"
#include "fabric/render/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace ferrule {

namespace {

struct Label {
    std::string_view text;
    std::string_view colour;
};

Label label_of(const Finding& finding) {
    switch (finding.outcome) {
        case Outcome::Fail:
            return finding.severity == Severity::Critical ? Label{"FAIL", "\x1b[1;31m"}
                                                          : Label{"WARN", "\x1b[33m"};
        case Outcome::Unknown:
            return {"UNKNOWN", "\x1b[35m"};
        case Outcome::Pass:
            return {"pass", "\x1b[32m"};
        case Outcome::NotApplicable:
            break;
    }
    return {"n/a", "\x1b[2m"};
}

std::string painted(std::string text, std::string_view colour, Colour use) {
    return use == Colour::On ? fmt::format("{}{}\x1b[0m", colour, text) : text;
}

std::size_t count(const Report& report, Outcome outcome) {
    return static_cast<std::size_t>(
        std::ranges::count(report.findings, outcome, &Finding::outcome));
}

std::string plural(std::size_t number, std::string_view word) {
    return fmt::format("{} {}{}", number, word, number == 1 ? "" : "s");
}

std::string head_line(const Report& report, Colour colour) {
    constexpr std::array<std::string_view, 4> kColours{"\x1b[1;32m", "\x1b[1;33m", "\x1b[1;31m",
                                                       "\x1b[1;35m"};
    const Verdict verdict = verdict_of(report.findings);
    const std::string profile =
        report.profile.empty() ? "no profile" : "profile " + printable(report.profile);
    return fmt::format("{}: {} - {}, {} unknown, {} passed, {} not applicable ({}, {} ms)\n",
                       printable(report.node),
                       painted(std::string{to_text(verdict)},
                               kColours.at(static_cast<std::size_t>(verdict)), colour),
                       plural(count(report, Outcome::Fail), "failure"),
                       count(report, Outcome::Unknown), count(report, Outcome::Pass),
                       count(report, Outcome::NotApplicable), profile, report.duration_ms);
}

bool is_shown(const Finding& finding, Detail detail) {
    return detail == Detail::Everything || finding.outcome == Outcome::Fail ||
           finding.outcome == Outcome::Unknown;
}

struct Widths {
    std::size_t check{0};
    std::size_t object{0};
};

std::string lines_of(const Finding& finding, const Widths& widths, Colour colour) {
    constexpr int kLabel = 7;
    // Names of devices are in these sentences too.
    constexpr std::size_t kLongest = 1000;
    const Label label = label_of(finding);
    std::string text = fmt::format(
        "{}  {:<{}}  {:<{}}  {}",
        painted(fmt::format("{:<{}}", label.text, kLabel), label.colour, colour), finding.check,
        widths.check, printable(finding.object), widths.object, printable(finding.seen));
    if (!finding.wanted.empty()) {
        text += fmt::format("; wanted {}", printable(finding.wanted));
    }
    if (!finding.rule.empty()) {
        text += fmt::format(" [{}]", printable(finding.rule, kLongest));
    }
    text += '\n';
    if (!finding.remedy.empty()) {
        text += fmt::format("{:{}}-> {}\n", "", kLabel + 2, printable(finding.remedy, kLongest));
    }
    return text;
}

}  // namespace

std::string report_text(const Report& report, const ReportStyle& style) {
    Widths widths{};
    for (const Finding& finding : report.findings) {
        if (is_shown(finding, style.detail)) {
            widths.check = std::max(widths.check, finding.check.size());
            widths.object = std::max(widths.object, printable(finding.object).size());
        }
    }
    std::string text = head_line(report, style.colour);
    for (const Finding& finding : report.findings) {
        if (is_shown(finding, style.detail)) {
            text += lines_of(finding, widths, style.colour);
        }
    }
    return text;
}

std::string changes_text(const std::vector<Change>& changes) {
    std::string text;
    for (const Change& it : changes) {
        const auto shown = [](const std::string& value) {
            return value.empty() ? std::string{"(none)"} : printable(value);
        };
        text += fmt::format("{}: {} -> {}\n", printable(it.fact), shown(it.before), shown(it.now));
    }
    return text;
}

std::string check_text(const Check& check) {
    return fmt::format("{}: {}\n  {}\n  fabrics:  {}\n  severity: {}\n  keys:     {}\n", check.name,
                       check.asks, check.why, check.fabrics, to_text(check.severity),
                       check.keys.empty() ? "none" : check.keys);
}

std::string check_list_text() {
    std::size_t width = 0;
    for (const Check& check : all_checks()) {
        width = std::max(width, check.name.size());
    }
    std::string text;
    for (const Check& check : all_checks()) {
        text += fmt::format("{:<{}}  {}\n", check.name, width, check.asks);
    }
    return text;
}

}  // namespace ferrule
