#include "fabric/render/json_text.h"
#include "fabric/render/report.h"

namespace ferrule {

std::string report_json(const Report& report) {
    Json findings = Json::array();
    for (const Finding& finding : report.findings) {
        Json it = {{"check", finding.check},
                   {"object", finding.object},
                   {"outcome", to_text(finding.outcome)},
                   {"seen", finding.seen}};
        if (finding.outcome == Outcome::Fail) {
            it["severity"] = to_text(finding.severity);
            it["wanted"] = finding.wanted;
            it["rule"] = finding.rule;
            it["remedy"] = finding.remedy;
        }
        findings.push_back(std::move(it));
    }
    const Json json = {{"version", 1},
                       {"node", report.node},
                       {"profile", report.profile},
                       {"verdict", to_text(verdict_of(report.findings))},
                       {"time", report.time},
                       {"boot_id", report.boot_id},
                       {"uptime_ms", report.uptime_ms},
                       {"duration_ms", report.duration_ms},
                       {"findings", findings}};
    return dumped(json);
}

}  // namespace ferrule
