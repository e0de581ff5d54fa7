#include "spank/step_facts.h"

#include "fabric/model/hostlist.h"

namespace ferrule {

namespace {

// Enough to find the way most nodes are reached; looking up thousands would take time.
constexpr std::size_t kMostPeers = 8;

bool runs_a_script(std::uint32_t step) {
    return step == kBatchStep || step == kInteractiveStep;
}

// A script inherits SLURM_STEP_* of the step it was submitted from; a step inherits the script's
// SLURM_JOB_GPUS, which are those of the first node.
std::string node_list(const Environment& environment, std::uint32_t step) {
    const std::string of_step =
        runs_a_script(step) ? std::string{} : value_of(environment, "SLURM_STEP_NODELIST");
    return of_step.empty() ? value_of(environment, "SLURM_JOB_NODELIST") : of_step;
}

}  // namespace

StepFacts step_facts(const Environment& environment, std::uint32_t step, const std::string& node) {
    StepFacts facts{};
    const auto names = parse_hostlist(node_list(environment, step));
    for (const std::string& name : names.value_or(std::vector<std::string>{})) {
        if (name == node) {
            continue;
        }
        facts.all_peers = facts.all_peers && facts.peers.size() < kMostPeers;
        if (facts.all_peers) {
            facts.peers.push_back({name, {}, PeerRole::Member, {}});
        }
    }
    const auto launcher = parse_ip(value_of(environment, "SLURM_LAUNCH_NODE_IPADDR"));
    if (launcher && !launcher->is_loopback() && !runs_a_script(step)) {
        facts.peers.push_back({"launch node", launcher, PeerRole::Launcher, {}});
    }
    facts.gpus = value_of(environment, runs_a_script(step) ? "SLURM_JOB_GPUS" : "SLURM_STEP_GPUS");
    return facts;
}

}  // namespace ferrule
