#include "spank/session.h"

#include "fabric/base/text.h"
#include "fabric/policy/environment.h"
#include "fabric/policy/visible_hcas.h"
#include "fabric/read/node.h"
#include "fabric/read/settings.h"
#include "fabric/render/explain.h"
#include "fabric/render/lint_text.h"
#include "spank/guard.h"
#include "spank/step_facts.h"

#include <array>
#include <cerrno>
#include <cstdlib>
#include <exception>
#include <limits>
#include <optional>
#include <utility>

#include <unistd.h>

namespace ferrule {

namespace {

// slurmstepd's own environment names the node; the job's may still name the one it came from.
std::string own_node_name() {
    const char* const name = std::getenv("SLURMD_NODENAME");  // NOLINT(concurrency-mt-unsafe)
    if (name != nullptr && *name != '\0') {
        return name;
    }
    std::array<char, 256> host{};
    if (::gethostname(host.data(), host.size() - 1) != 0) {
        return {};
    }
    const std::string_view whole{host.data()};
    return std::string{whole.substr(0, whole.find('.'))};
}

std::uint32_t step_number(spank_t spank) {
    std::uint32_t step = 0;
    return spank_get_item(spank, S_JOB_STEPID, &step) == ESPANK_SUCCESS ? step : 0;
}

void log_once(const std::string& text) {
    // The rest of a longer message shows the line of a file; the log gets one line.
    log_failure(S_CTX_REMOTE, "step", text.substr(0, text.find('\n')).c_str());
}

// Nothing for "no limit", which Slurm spells as the largest number there is.
std::optional<std::uint64_t> memlock_limit_of_job(const Environment& environment) {
    const std::string text = value_of(environment, "SLURM_RLIMIT_MEMLOCK");
    const auto limit = parse_number<std::uint64_t>(text);
    return limit == std::numeric_limits<std::uint64_t>::max() ? std::nullopt : limit;
}

}  // namespace

Session::Session(int argc, char** argv)
    : arguments_{parse_arguments(std::vector<std::string_view>(argv, argv + argc))} {
    if (!arguments_.unknown.empty()) {
        log_failure(spank_context(), "plugstack.conf",
                    ("unknown argument \"" + printable(arguments_.unknown.front()) +
                     "\"; use config=FILE and sysroot=DIR")
                        .c_str());
    }
}

bool Session::take_option(Option option, const char* value) {
    if (option == Option::FabricExplain) {
        explain_ = true;
        return true;
    }
    const auto mode = parse_fabric_mode(value != nullptr ? value : "");
    mode_ = mode.value_or(mode_);
    return mode.has_value();
}

Result<Session::StepPlan> Session::try_plan(const Environment& environment, std::uint32_t step,
                                            const std::string& node) const {
    try {
        return plan_step(environment, step, node);
    } catch (const std::exception& error) {
        return fail(std::errc::not_enough_memory, error.what());
    }
}

Result<Session::StepPlan> Session::plan_step(const Environment& environment, std::uint32_t step,
                                             const std::string& node) const {
    if (mode_ == FabricMode::Off) {
        return StepPlan{plan_environment({}, {}, {mode_, {}, {}})};
    }
    const Settings settings = TRY(load_settings_or_default(arguments_.config, Trust::RootOnly));
    const std::string product =
        needs_product(settings) ? product_of(arguments_.sysroot) : std::string{};
    const NodeProfile profile = profile_for(settings, node, product);
    StepFacts facts = step_facts(environment, step, node);
    // An explanation judges the user's values too, and they may lead anywhere.
    ReadRequest request =
        explain_ ? ReadRequest{} : plan_request(profile, mode_, !facts.gpus.empty());
    request.peers = std::move(facts.peers);
    request.all_peers = facts.all_peers;
    NodeSnapshot snapshot =
        TRY(read_node(arguments_.sysroot, source_of(arguments_.sysroot), request));
    // This process has limits of its own; the tasks get those that were submitted.
    snapshot.memlock_limit = memlock_limit_of_job(environment);
    StepPlan step_plan{plan_environment(
        snapshot, profile, {mode_, facts.gpus, value_of(environment, kVisibleHcasName)})};
    step_plan.image_values = profile.image_values;
    if (explain_) {
        step_plan.findings = lint_environment(
            {snapshot, step_plan.plan, environment, profile.nccl.value_or(newest_known_nccl())},
            parse_marker(value_of(environment, kMarkerName)));
    }
    return step_plan;
}

void Session::prepare_step(spank_t spank) {
    if (spank_remote(spank) != 1) {
        return;
    }
    const std::uint32_t step = step_number(spank);
    if (step == kExternStep) {
        return;
    }
    const JobEnvironment job{spank};
    const auto environment = job.read();
    if (!environment) {
        log_once(environment.error().text);
        return;
    }
    const std::string node = own_node_name();
    auto planned = try_plan(*environment, step, node);
    if (!planned) {
        log_once(planned.error().text);
    }
    // Without a plan the first node's values still must not stay on this one.
    step_plan_ = planned ? std::move(*planned) : StepPlan{};
    step_plan_.ownership = settle_ownership(step_plan_.plan.variables, *environment);
    for (const std::string& name : job.apply(step_plan_.ownership)) {
        log_once(name + ": Slurm did not take the value");
        step_plan_.ownership.owned.erase(name);
    }
    if (explain_) {
        explanation_ = planned
                           ? explain(step_plan_.plan, step_plan_.ownership, node) +
                                 lint_lines(step_plan_.findings, "look at ")
                           : "node " + node + ": nothing is set: " + planned.error().text + "\n";
    }
}

void Session::settle_image_values(const JobEnvironment& job) {
    const auto environment = job.read();
    if (!environment) {
        return;
    }
    const Ownership settled = settle_image(step_plan_.plan.variables, step_plan_.ownership,
                                           *environment, step_plan_.image_values);
    // An image that was made inside of a job has an old marker too.
    const bool marked = parse_marker(value_of(*environment, kMarkerName)) == settled.owned;
    if (settled.writes.empty() && marked) {
        return;
    }
    for (const std::string& name : job.apply(settled)) {
        log_once(name + ": Slurm did not take the value in a task");
    }
    if (!explain_) {
        return;
    }
    for (const EnvWrite& write : settled.writes) {
        explanation_ += "container: " + write.name + (write.value ? " set again" : " removed") +
                        ", the image had another idea\n";
    }
    for (const auto& [name, value] : step_plan_.ownership.owned) {
        if (!settled.owned.contains(name)) {
            explanation_ += "container: " + name + " is the image's own\n";
        }
    }
}

void Session::start_task(spank_t spank) {
    if (spank_remote(spank) == 1) {
        settle_image_values(JobEnvironment{spank});
    }
    int task = -1;
    if (explanation_.empty() || spank_get_item(spank, S_TASK_ID, &task) != ESPANK_SUCCESS ||
        task != 0) {
        return;
    }
    std::string_view rest = explanation_;
    while (!rest.empty()) {
        const ssize_t written = ::write(STDERR_FILENO, rest.data(), rest.size());
        if (written < 0 && errno != EINTR) {
            return;
        }
        rest.remove_prefix(written < 0 ? 0 : static_cast<std::size_t>(written));
    }
}

}  // namespace ferrule
