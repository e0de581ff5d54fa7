#include "fabric/policy/environment.h"

#include "fabric/base/text.h"
#include "fabric/policy/dialects.h"
#include "fabric/policy/job_gpus.h"

#include <fmt/format.h>

#include <algorithm>

namespace ferrule {

namespace {

// A site's own value replaces ours; an empty one takes the variable out of the plan.
void apply_site_environment(const NodeProfile& profile, std::vector<EnvChange>& variables) {
    for (const auto& [name, value] : profile.environment) {
        auto known = std::ranges::find(variables, name, &EnvChange::name);
        if (known == variables.end()) {
            variables.push_back({name, {}, {}, {}});
            known = variables.end() - 1;
        }
        known->value = value.empty() ? std::nullopt : std::optional{value};
        known->reason = fmt::format("environment of profile {}", profile.name);
    }
}

void note_peers(const NodeSnapshot& snapshot, EnvPlan& plan) {
    for (const Peer& peer : snapshot.peers) {
        if (!peer.address) {
            plan.notes.push_back(fmt::format(
                "{}: not in /etc/hosts, so it has no say in the choice of the interface",
                printable(peer.name)));
        }
    }
}

void note_problems(const NodeSnapshot& snapshot, EnvPlan& plan) {
    if (!snapshot.rdma_class) {
        plan.notes.emplace_back("no RDMA devices: /sys/class/infiniband is absent");
    }
    for (const ReadProblem& problem : snapshot.problems) {
        plan.notes.push_back(fmt::format("{}: {}", problem.where, problem.what));
    }
}

}  // namespace

EnvPlan plan_environment(const NodeSnapshot& snapshot, const NodeProfile& profile,
                         const JobWish& wish) {
    EnvPlan plan{};
    plan.mode = wish.mode;
    plan.profile = profile.name;
    if (wish.mode == FabricMode::Off) {
        plan.notes.emplace_back("nothing is set: --fabric=off");
        return plan;
    }
    const JobGpus gpus = parse_job_gpus(wish.gpus, snapshot.gpus);
    Intent intent{};
    intent.mode = wish.mode;
    intent.profile = profile;
    intent.rails = rails_of_gpus(choose_rails(snapshot, profile), snapshot, gpus.positions);
    intent.socket = choose_socket_interface(snapshot, profile);
    if (intent.rails.kind == FabricKind::Roce) {
        intent.gid = gid_policy(intent.rails.rails, profile);
    }
    plan.variables = variables_of_libraries(intent);
    apply_site_environment(profile, plan.variables);
    plan.fabric = intent.rails.kind;
    plan.ports = intent.rails.verdicts;
    plan.interfaces = intent.socket.verdicts;
    plan.notes = intent.socket.notes;
    if (!gpus.note.empty()) {
        plan.notes.push_back(gpus.note);
    }
    for (const std::string& rail : intent.rails.missing) {
        plan.notes.push_back(fmt::format("{}: a rail of profile {}, and no port of this node",
                                         printable(rail), profile.name));
    }
    note_peers(snapshot, plan);
    note_problems(snapshot, plan);
    return plan;
}

}  // namespace ferrule
