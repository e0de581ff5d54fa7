#include "healthcheck/run.h"

#include "fabric/check/check.h"
#include "fabric/check/growth.h"
#include "fabric/check/scope.h"
#include "fabric/isolate/health_reader.h"
#include "fabric/read/settings.h"
#include "healthcheck/memory.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <ctime>

#include <unistd.h>

namespace ferrule {

namespace {

using Clock = std::chrono::steady_clock;

// Root reads what root wrote; a user's own run may read the user's file.
Trust trust() {
    return ::geteuid() == 0 ? Trust::RootOnly : Trust::RootOrCaller;
}

std::string state_dir_of(const HealthOptions& options) {
    if (options.stateless) {
        return {};
    }
    const bool live = source_of(options.sysroot) == Source::Live;
    return options.state_dir.empty() && live ? kDefaultStateDir : options.state_dir;
}

// What a driver refuses once is not asked again until the next boot: some firmware writes a line
// into its log for each time.
void remember_refusals(const NodeSnapshot& snapshot, History& history) {
    constexpr std::size_t kMost = 4096;
    for (const ReadProblem& problem : snapshot.problems) {
        const bool counter = problem.where.find("counters/") != std::string::npos;
        const int error = problem.error_number;
        const bool refusal =
            error == EINVAL || error == EIO || error == EOPNOTSUPP || error == ENODATA;
        if (counter && refusal && history.refused.size() < kMost) {
            history.refused.emplace(problem.where, error);
        }
    }
}

HealthRequest request_of(const HealthOptions& options, const NodeProfile& profile,
                         const History& history) {
    HealthRequest request{};
    request.patience = std::min(options.patience, options.timeout);
    request.lldp = std::min(options.lldp, options.timeout);
    for (const auto& [path, error] : history.refused) {
        request.read.refused.insert(path);
    }
    for (const auto& [name, value] : profile.expected.sysctls) {
        request.read.sysctls.push_back(name);
    }
    return request;
}

// Files that were not asked for are as unknown as when they were refused.
void say_refused(const History& history, NodeSnapshot& snapshot) {
    for (const auto& [path, error] : history.refused) {
        snapshot.problems.push_back({path, error, "refused by the driver before, not asked again"});
    }
}

RunRecord record_of(const Report& report, const Facts& facts) {
    RunRecord record{report.time, facts, {}};
    for (const Finding& finding : report.findings) {
        if (finding.outcome == Outcome::Fail) {
            record.failures.emplace_back(finding.check, finding.object);
        }
    }
    return record;
}

struct Identity {
    std::string hostname{};
    std::string product{};
};

Result<Identity> identify(const std::string& sysroot) {
    const Dir root = TRY(Dir::open(sysroot));
    return Identity{root.attribute("proc/sys/kernel/hostname").value_or(std::string{}),
                    root.attribute("sys/class/dmi/id/product_name").value_or(std::string{})};
}

}  // namespace

Result<NodeProfile> profile_of(const HealthOptions& options, const std::string& hostname,
                               const std::string& product) {
    const Settings settings = TRY(load_settings_or_default(options.config, trust()));
    if (options.profile.empty()) {
        return profile_for(settings, options.node.empty() ? hostname : options.node, product);
    }
    const auto found = std::ranges::find(settings.profiles, options.profile, &NodeProfile::name);
    if (found == settings.profiles.end()) {
        return fail(std::errc::invalid_argument,
                    "there is no profile \"" + options.profile + "\" in the configuration");
    }
    return *found;
}

Result<Outcomes> run_health_check(const HealthOptions& options) {
    const auto start = Clock::now();
    const Identity identity = TRY(identify(options.sysroot));
    const NodeProfile profile = TRY(profile_of(options, identity.hostname, identity.product));
    const Memory memory = TRY(Memory::open(state_dir_of(options)));
    NodeSnapshot snapshot = TRY(read_health(options.sysroot, source_of(options.sysroot),
                                            request_of(options, profile, memory.history())));
    Outcomes outcomes{};
    outcomes.warnings = memory.warnings();
    const Scope scope = scope_of(snapshot, profile);
    History history = advance(memory.history(), snapshot, followed_counters(snapshot, scope));
    remember_refusals(snapshot, history);
    say_refused(history, snapshot);
    const Facts facts = facts_of(snapshot);
    outcomes.since_last = changes(history.last.facts, facts);
    outcomes.since_good = changes(history.good.facts, facts);

    Report& report = outcomes.report;
    report.node = options.node.empty() ? snapshot.hostname : options.node;
    report.profile = profile.name;
    report.boot_id = snapshot.host.boot_id;
    report.uptime_ms = snapshot.host.uptime_ms.value_or(0);
    report.time = ::time(nullptr);
    report.findings = run_checks(snapshot, profile, history, {options.only});
    report.duration_ms = static_cast<std::uint64_t>(
        std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - start).count());

    history.last = record_of(report, facts);
    if (verdict_of(report.findings) == Verdict::Ok) {
        history.good = history.last;
    }
    if (const auto kept = memory.keep(history); !kept) {
        outcomes.warnings.push_back(kept.error().text + "; this run is not remembered");
    }
    return outcomes;
}

}  // namespace ferrule
