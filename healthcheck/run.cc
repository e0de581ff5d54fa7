#include "healthcheck/run.h"

#include "fabric/base/text.h"
#include "fabric/check/check.h"
#include "fabric/check/counter_table.h"
#include "fabric/check/growth.h"
#include "fabric/check/mtu_plan.h"
#include "fabric/check/scope.h"
#include "fabric/isolate/health_reader.h"
#include "fabric/isolate/mtu_probe.h"
#include "fabric/read/counters.h"
#include "fabric/read/settings.h"
#include "healthcheck/lldpd.h"
#include "healthcheck/memory.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <ctime>

#include <unistd.h>

namespace ferrule {

namespace {

using Clock = std::chrono::steady_clock;

// A round trip of a fabric is well below; a lost packet costs all of it.
constexpr std::chrono::milliseconds kProbePatience{1000};

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
        if (counter && is_refusal(problem) && history.refused.size() < kMost) {
            history.refused.emplace(problem.where, problem.error_number);
        }
    }
}

HealthRequest request_of(const HealthOptions& options, const NodeProfile& profile,
                         const History& history) {
    HealthRequest request{};
    request.patience = std::min(options.patience, options.timeout);
    request.node_patience = std::max(request.patience, options.timeout - kProbePatience);
    // Listening comes on top of patience, and both fit into the time of the run.
    request.lldp = std::min(options.lldp, options.timeout - request.patience);
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

// A driver that was just being started refuses for another reason: it is asked anew from time to
// time.
void forget_refusals(std::uint64_t before_ms, History& history) {
    constexpr std::uint64_t kSixHours = 6ULL * 3600 * 1000;
    if (before_ms / kSixHours != history.uptime_ms / kSixHours) {
        history.refused.clear();
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

tl::unexpected<Error> wrong_name(const NodeProfile& profile, const char* key,
                                 const std::string& name, const char* what) {
    const auto line = profile.lines.find(key);
    const std::string place =
        line == profile.lines.end() ? std::string{} : ":" + std::to_string(line->second);
    return fail(std::errc::invalid_argument, profile.file + place + ": profile " + profile.name +
                                                 ", " + key + ": \"" + printable(name) + "\" " +
                                                 what);
}

// Names in the file that are no checks or counters: the reader of the file cannot know them.
Result<void> check_names(const NodeProfile& profile) {
    for (const std::string& name : profile.expected.skipped_checks) {
        if (find_check(name) == nullptr) {
            return wrong_name(profile, "skip", name, "is no check; see --list");
        }
    }
    for (const CounterLimit& limit : profile.expected.limits) {
        const CounterMeaning* const meaning = find_meaning(limit.meaning);
        if (meaning == nullptr) {
            return wrong_name(profile, "limits", limit.meaning,
                              "is no counter; ferrule-checks(7) lists them");
        }
        if (meaning->limit.seconds == 0 || meaning->check == "link-flaps") {
            return wrong_name(profile, "limits", limit.meaning,
                              meaning->check == "link-flaps" ? "is judged by the key flaps"
                                                             : "moves in a working fabric and has "
                                                               "no limit");
        }
    }
    return {};
}

Result<NodeProfile> chosen_profile(const Settings& settings, const HealthOptions& options,
                                   const std::string& hostname, const std::string& product) {
    if (options.profile.empty()) {
        return profile_for(settings, node_name(options, hostname), product);
    }
    const auto found = std::ranges::find(settings.profiles, options.profile, &NodeProfile::name);
    return found == settings.profiles.end()
               ? Result<NodeProfile>{fail(
                     std::errc::invalid_argument,
                     "there is no profile \"" + options.profile + "\" in the configuration")}
               : Result<NodeProfile>{*found};
}

std::optional<std::vector<Change>> since(const RunRecord& run, const Facts& now) {
    return run.time == 0 ? std::nullopt : std::optional{changes(run.facts, now)};
}

void remember_run(const Report& report, const Facts& facts, History& history) {
    history.last = record_of(report, facts);
    if (history.last.failures.empty()) {
        history.good = history.last;
    }
}

// What is not in the node itself: the way to its peers, and what lldpd heard of the switches.
void look_beyond(const HealthOptions& options, const NodeProfile& profile, NodeSnapshot& snapshot,
                 std::vector<std::string>& warnings) {
    if (source_of(options.sysroot) == Source::Live) {
        snapshot.mtu_probes = plan_mtu_probes(snapshot, profile);
        send_mtu_probes(snapshot.mtu_probes, Deadline{kProbePatience});
    }
    if (options.lldpd.empty()) {
        return;
    }
    const auto added = add_lldpd_neighbours(options.lldpd, trust(), ::time(nullptr), snapshot);
    if (!added) {
        warnings.push_back(added.error().text);
    }
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

std::string node_name(const HealthOptions& options, const std::string& hostname) {
    if (!options.node.empty()) {
        return options.node;
    }
    // What slurmd calls the node, which need not be its host name.
    const char* const given = std::getenv("SLURMD_NODENAME");  // NOLINT(concurrency-mt-unsafe)
    const bool live = source_of(options.sysroot) == Source::Live;
    return live && given != nullptr && *given != '\0' ? given : hostname;
}

Result<NodeProfile> profile_of(const HealthOptions& options, const std::string& hostname,
                               const std::string& product) {
    const Settings settings = TRY(load_settings_or_default(options.config, trust()));
    NodeProfile profile = TRY(chosen_profile(settings, options, hostname, product));
    if (const auto named = check_names(profile); !named) {
        return tl::unexpected{named.error()};
    }
    return profile;
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
    look_beyond(options, profile, snapshot, outcomes.warnings);
    const Scope scope = scope_of(snapshot, profile);
    History history = advance(memory.history(), snapshot, followed_counters(snapshot, scope));
    remember_refusals(snapshot, history);
    say_refused(history, snapshot);
    forget_refusals(memory.history().uptime_ms, history);
    const Facts facts = facts_of(snapshot, scope);
    outcomes.since_last = since(history.last, facts);
    outcomes.since_good = since(history.good, facts);

    Report& report = outcomes.report;
    report.node = node_name(options, snapshot.hostname);
    report.profile = profile.name;
    report.boot_id = snapshot.host.boot_id;
    report.uptime_ms = snapshot.host.uptime_ms.value_or(0);
    report.time = ::time(nullptr);
    report.findings = run_checks(snapshot, profile, history, {options.only});
    report.duration_ms = static_cast<std::uint64_t>(
        std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - start).count());

    // A run of a few checks says nothing of the others, and one that shows changes nothing of what
    // is right.
    if (options.only.empty() && options.task == HealthTask::Check) {
        remember_run(report, with_lost_gids(memory.history().last.facts, facts), history);
    }
    if (const auto kept = memory.keep(history); !kept) {
        outcomes.warnings.push_back(kept.error().text + "; this run is not remembered");
    }
    return outcomes;
}

}  // namespace ferrule
