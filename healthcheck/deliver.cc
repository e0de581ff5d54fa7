#include "healthcheck/deliver.h"

#include "fabric/base/fd.h"
#include "fabric/base/text.h"
#include "fabric/render/report.h"

#include <cerrno>
#include <cstdlib>

#include <fcntl.h>
#include <sys/stat.h>
#include <syslog.h>
#include <unistd.h>

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
    std::string fresh = path + ".XXXXXX";
    const Fd fd{::mkostemp(fresh.data(), O_CLOEXEC)};
    if (!fd.valid()) {
        return fail_errno(errno, path);
    }
    constexpr mode_t kReadable = 0644;
    const std::string text = report_metrics(report);
    const bool written =
        ::write(fd.get(), text.data(), text.size()) == static_cast<ssize_t>(text.size()) &&
        ::fchmod(fd.get(), kReadable) == 0 && ::rename(fresh.c_str(), path.c_str()) == 0;
    if (!written) {
        const int error_number = errno;
        ::unlink(fresh.c_str());
        return fail_errno(error_number, path);
    }
    return {};
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
