// Findings: their order, and what a report comes to.
#include "fabric/model/finding.h"

#include "tests/support/catch.h"

#include <algorithm>

using namespace ferrule;

namespace {

Finding finding(const std::string& object, Outcome outcome,
                Severity severity = Severity::Critical) {
    return {"check", object, outcome, severity, {}, {}, {}, {}};
}

std::string objects(const std::vector<Finding>& findings) {
    std::string text;
    for (const Finding& it : findings) {
        text += it.object;
    }
    return text;
}

}  // namespace

TEST_CASE("the worst comes first, and the order among equals is kept") {
    std::vector<Finding> findings{
        finding("a", Outcome::Pass),    finding("b", Outcome::NotApplicable),
        finding("c", Outcome::Unknown), finding("d", Outcome::Fail, Severity::Warning),
        finding("e", Outcome::Fail),    finding("f", Outcome::Unknown, Severity::Warning),
        finding("g", Outcome::Fail),    finding("h", Outcome::Pass, Severity::Warning)};
    sort_worst_first(findings);
    CHECK(objects(findings) == "egdcfahb");
}

TEST_CASE("a verdict is that of the worst finding") {
    struct Case {
        std::vector<Finding> findings;
        Verdict verdict;
        int exit_status;
    };

    const Finding pass = finding("a", Outcome::Pass);
    const Finding none = finding("b", Outcome::NotApplicable);
    const Finding unknown = finding("c", Outcome::Unknown);
    const Finding warning = finding("d", Outcome::Fail, Severity::Warning);
    const Finding critical = finding("e", Outcome::Fail);
    const std::vector<Case> cases{{{}, Verdict::Ok, 0},
                                  {{pass, none}, Verdict::Ok, 0},
                                  {{pass, unknown}, Verdict::Unknown, 3},
                                  {{unknown, warning, pass}, Verdict::Warning, 1},
                                  {{warning, critical, unknown}, Verdict::Critical, 2}};
    for (const Case& it : cases) {
        CHECK(verdict_of(it.findings) == it.verdict);
        CHECK(static_cast<int>(it.verdict) == it.exit_status);
    }
}

TEST_CASE("outcomes, severities and verdicts have words") {
    CHECK(to_text(Outcome::NotApplicable) == "not applicable");
    CHECK(to_text(Outcome::Pass) == "pass");
    CHECK(to_text(Outcome::Unknown) == "unknown");
    CHECK(to_text(Outcome::Fail) == "fail");
    CHECK(to_text(Severity::Warning) == "warning");
    CHECK(to_text(Severity::Critical) == "critical");
    CHECK(to_text(Verdict::Ok) == "OK");
    CHECK(to_text(Verdict::Warning) == "WARNING");
    CHECK(to_text(Verdict::Critical) == "CRITICAL");
    CHECK(to_text(Verdict::Unknown) == "UNKNOWN");
}
