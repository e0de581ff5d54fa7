#include "healthcheck/deliver.h"

#include "fabric/base/file.h"
#include "fabric/base/text.h"
#include "fabric/render/report.h"

#include <fcntl.h>
#include <syslog.h>

namespace ferrule {

namespace {

int priority_of(const Finding& finding) {
    if (finding.outcome != Outcome::Fail) {
        return LOG_NOTICE;
    }
    return finding.severity == Severity::Critical ? LOG_ERR : LOG_WARNING;
}

}  // namespace

Result<void> write_textfile(const std::string& path, const Report& report) {
    // The collector reads *.prom only, so it never sees the unfinished one.
    return replace_file(AT_FDCWD, path, report_metrics(report));
}

void write_syslog(const Report& report) {
    ::openlog("ferrule-healthcheck", LOG_PID, LOG_DAEMON);
    for (const Finding& finding : report.findings) {
        if (finding.outcome == Outcome::Fail || finding.outcome == Outcome::Unknown) {
            const std::string wanted =
                finding.wanted.empty() ? std::string{} : "; wanted " + finding.wanted;
            const std::string line = std::string{to_text(finding.outcome)} + " " + finding.check +
                                     " " + printable(finding.object) + ": " +
                                     printable(finding.seen) + printable(wanted);
            ::syslog(priority_of(finding), "%s", line.c_str());
        }
    }
    const std::string verdict{to_text(verdict_of(report.findings))};
    ::syslog(LOG_INFO, "%s", verdict.c_str());
    ::closelog();
}

}  // namespace ferrule
