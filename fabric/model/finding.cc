#include "fabric/model/finding.h"

#include <algorithm>

namespace ferrule {

namespace {

int badness(const Finding& finding) {
    constexpr int kWarning = 3;
    constexpr int kCritical = 4;
    if (finding.outcome == Outcome::Fail) {
        return finding.severity == Severity::Critical ? kCritical : kWarning;
    }
    return static_cast<int>(finding.outcome);
}

}  // namespace

std::string_view to_text(Outcome outcome) {
    switch (outcome) {
        case Outcome::NotApplicable:
            return "not applicable";
        case Outcome::Pass:
            return "pass";
        case Outcome::Unknown:
            return "unknown";
        case Outcome::Fail:
            return "fail";
    }
    return "?";
}

std::string_view to_text(Severity severity) {
    return severity == Severity::Critical ? "critical" : "warning";
}

void sort_worst_first(std::vector<Finding>& findings) {
    // Insertion keeps the order of equals; a library sort that does may use deprecated memory.
    std::vector<Finding> sorted;
    sorted.reserve(findings.size());
    constexpr int kWorst = 4;
    for (int level = kWorst; level >= 0; --level) {
        for (const Finding& finding : findings) {
            if (badness(finding) == level) {
                sorted.push_back(finding);
            }
        }
    }
    findings = std::move(sorted);
}

Verdict verdict_of(const std::vector<Finding>& findings) {
    int worst = 0;
    for (const Finding& finding : findings) {
        worst = std::max(worst, badness(finding));
    }
    switch (worst) {
        case 4:
            return Verdict::Critical;
        case 3:
            return Verdict::Warning;
        case 2:
            return Verdict::Unknown;
        default:
            return Verdict::Ok;
    }
}

std::string_view to_text(Verdict verdict) {
    switch (verdict) {
        case Verdict::Ok:
            return "OK";
        case Verdict::Warning:
            return "WARNING";
        case Verdict::Critical:
            return "CRITICAL";
        case Verdict::Unknown:
            return "UNKNOWN";
    }
    return "?";
}

}  // namespace ferrule
