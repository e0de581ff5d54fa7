#include "fabric/policy/environment.h"

#include "fabric/policy/dialects.h"
#include "fabric/policy/gpu_rails.h"
#include "fabric/policy/job_gpus.h"
#include "fabric/policy/plan_notes.h"
#include "fabric/policy/visible_hcas.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

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

// A file's index would beat NCCL's own rule. Before 2.21 there is none, and -1 is no index.
void undo_index_of_file(const NodeSnapshot& snapshot, const NodeProfile& profile,
                        std::vector<EnvChange>& variables) {
    const auto index = std::ranges::find(variables, "NCCL_IB_GID_INDEX", &EnvChange::name);
    const bool in_file = std::ranges::any_of(snapshot.nccl_conf, [](const auto& setting) {
        return setting.first == "NCCL_IB_GID_INDEX";
    });
    if (in_file && index != variables.end() && !index->value && profile.nccl &&
        *profile.nccl >= kFirstNcclWithGidRule) {
        index->value = "-1";
        index->reason = "undoes the index in /etc/nccl.conf: " + index->reason;
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
    VisibleRails visible =
        visible_rails(choose_rails(snapshot, profile), snapshot, wish.visible_hcas);
    intent.rails = rails_within_limit(
        rails_of_gpus(std::move(visible.choice), snapshot, gpus.positions), profile.nccl);
    intent.socket = choose_socket_interface(snapshot, profile);
    if (intent.rails.kind == FabricKind::Roce) {
        intent.gid = gid_policy(intent.rails.rails, profile);
    }
    plan.variables = variables_of_libraries(intent);
    undo_index_of_file(snapshot, profile, plan.variables);
    apply_site_environment(profile, plan.variables);
    plan.fabric = intent.rails.kind;
    plan.ports = intent.rails.verdicts;
    plan.interfaces = intent.socket.verdicts;
    plan.notes = intent.socket.notes;
    for (const std::string& note : {gpus.note, visible.note}) {
        if (!note.empty()) {
            plan.notes.push_back(note);
        }
    }
    add_notes(intent, snapshot, plan);
    return plan;
}

}  // namespace ferrule
