#include "fabric/base/text.h"
#include "fabric/render/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

namespace ferrule {

namespace {

// A label's value: printable, since bytes that are no UTF-8 spoil the whole file; backslash and
// quote escaped.
std::string label(std::string_view text) {
    std::string value;
    value.reserve(text.size());
    for (const char letter : printable(text)) {
        if (letter == '\\' || letter == '"') {
            value += '\\';
        }
        value += letter;
    }
    return value;
}

std::string head(std::string_view name, std::string_view help) {
    return fmt::format("# HELP {} {}\n# TYPE {} gauge\n", name, help, name);
}

constexpr std::array kOutcomes{Outcome::Fail, Outcome::Unknown, Outcome::Pass,
                               Outcome::NotApplicable};

std::string outcome_word(Outcome outcome) {
    return outcome == Outcome::NotApplicable ? "not_applicable" : std::string{to_text(outcome)};
}

}  // namespace

std::string report_metrics(const Report& report) {
    std::map<std::pair<std::string, Outcome>, std::size_t> counts;
    for (const Check& check : all_checks()) {
        for (const Outcome outcome : kOutcomes) {
            counts[{std::string{check.name}, outcome}] = 0;
        }
    }
    // A sample for each object, by its worst failure: two of one name spoil the whole file.
    std::map<std::pair<std::string, std::string>, int> failures;
    for (const Finding& finding : report.findings) {
        ++counts[{finding.check, finding.outcome}];
        if (finding.outcome == Outcome::Fail) {
            int& worst = failures[{finding.check, finding.object}];
            worst = std::max(worst, finding.severity == Severity::Critical ? 2 : 1);
        }
    }
    std::string text = head("ferrule_health_verdict",
                            "What the health check came to: 0 ok, 1 warning, 2 critical, "
                            "3 unknown.");
    text +=
        fmt::format("ferrule_health_verdict {}\n", static_cast<int>(verdict_of(report.findings)));
    text += head("ferrule_health_findings", "Objects by check and outcome.");
    for (const auto& [key, number] : counts) {
        text += fmt::format("ferrule_health_findings{{check=\"{}\",outcome=\"{}\"}} {}\n",
                            key.first, outcome_word(key.second), number);
    }
    text += head("ferrule_health_failure",
                 "An object that fails a check; 1 is a warning, 2 is critical.");
    for (const auto& [key, level] : failures) {
        text += fmt::format("ferrule_health_failure{{check=\"{}\",object=\"{}\"}} {}\n", key.first,
                            label(key.second), level);
    }
    text += head("ferrule_health_last_run_timestamp_seconds", "When the health check last ran.");
    text += fmt::format("ferrule_health_last_run_timestamp_seconds {}\n", report.time);
    text += head("ferrule_health_duration_seconds", "How long the last run took.");
    constexpr double kMilliseconds = 1000;
    text += fmt::format("ferrule_health_duration_seconds {:.3f}\n",
                        static_cast<double>(report.duration_ms) / kMilliseconds);
    return text;
}

}  // namespace ferrule
