// ferrule-env: the plan for this node, for a shell, a program or a person.
#include "env/cli.h"
#include "fabric/policy/environment.h"
#include "fabric/policy/forecast.h"
#include "fabric/policy/lint.h"
#include "fabric/policy/ownership.h"
#include "fabric/policy/visible_hcas.h"
#include "fabric/read/node.h"
#include "fabric/read/settings.h"
#include "fabric/render/explain.h"
#include "fabric/render/json.h"
#include "fabric/render/lint_text.h"
#include "fabric/render/shell.h"

#include <cstdlib>
#include <exception>
#include <iostream>

#include <unistd.h>

namespace {

using namespace ferrule;

// An address in the list stands for itself.
std::vector<Peer> peers_of(const EnvOptions& options) {
    std::vector<Peer> peers;
    peers.reserve(options.peers.size());
    for (const std::string& name : options.peers) {
        peers.push_back({name, parse_ip(name), PeerRole::Member, {}});
    }
    return peers;
}

std::string gpus_of(const EnvOptions& options, const Environment& environment) {
    if (options.gpus) {
        return *options.gpus;
    }
    const std::string step = value_of(environment, "SLURM_STEP_GPUS");
    return step.empty() ? value_of(environment, "SLURM_JOB_GPUS") : step;
}

// What goes to standard output, and the exit status.
struct Answer {
    std::string text{};
    int exit_status{EXIT_SUCCESS};
};

constexpr int kFindings = 3;

// The environment's own values, then those of the file that it leaves to the file.
Answer lint(const LintView& view, const Environment& owned) {
    Environment of_file;
    for (const auto& [name, value] : view.snapshot.nccl_conf) {
        if (!view.environment.contains(name)) {
            of_file.emplace(name, value);
        }
    }
    std::string text = lint_lines(lint_environment(view, owned), "");
    const LintView file{view.snapshot, view.plan, of_file, view.nccl};
    text += lint_lines(lint_environment(file, {}), "/etc/nccl.conf: ");
    return {text, text.empty() ? EXIT_SUCCESS : kFindings};
}

Result<Answer> run(const EnvOptions& options) {
    ReadRequest request{};
    request.peers = peers_of(options);
    const NodeSnapshot snapshot =
        TRY(read_node(options.sysroot, source_of(options.sysroot), request));
    if (options.output == Output::Snapshot) {
        return Answer{snapshot_json(snapshot)};
    }
    const Settings settings = TRY(load_settings_or_default(options.config, Trust::RootOrCaller));
    const std::string node = options.node.empty() ? snapshot.hostname : options.node;
    NodeProfile profile = profile_for(
        settings, node,
        snapshot.host.product.empty() ? product_of(options.sysroot) : snapshot.host.product);
    if (options.nccl) {
        profile.nccl = options.nccl;
    }
    const Environment environment = options.fresh ? Environment{} : environment_of(environ);
    EnvPlan plan = plan_environment(
        snapshot, profile,
        {options.mode, gpus_of(options, environment), value_of(environment, kVisibleHcasName)});
    const Ownership ownership = settle_ownership(plan.variables, environment);
    if (options.mode != FabricMode::Off) {
        plan.forecasts =
            forecast_nccl(snapshot, plan, environment_after(ownership, environment), profile.nccl);
    }
    switch (options.output) {
        case Output::Json:
            return Answer{plan_json(plan, ownership, node)};
        case Output::Explain:
            return Answer{explain(plan, ownership, node)};
        case Output::Lint:
            return lint({snapshot, plan, environment, profile.nccl.value_or(newest_known_nccl())},
                        parse_marker(value_of(environment, kMarkerName)));
        default:
            return Answer{shell_lines(plan, ownership)};
    }
}

}  // namespace

int main(int argc, char** argv) {
    try {
        const CommandLine line = parse_command_line(argc, argv);
        if (!line.options) {
            return line.exit_status;
        }
        const auto answer = run(*line.options);
        if (!answer) {
            std::cerr << "ferrule-env: " << answer.error().text << '\n';
            return EXIT_FAILURE;
        }
        std::cout << answer->text << std::flush;
        if (!std::cout) {
            std::cerr << "ferrule-env: standard output cannot be written\n";
            return EXIT_FAILURE;
        }
        return answer->exit_status;
    } catch (const std::exception& error) {
        std::cerr << "ferrule-env: " << error.what() << '\n';
        return EXIT_FAILURE;
    }
}
