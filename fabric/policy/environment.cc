#include "fabric/policy/environment.h"

#include "fabric/base/text.h"
#include "fabric/policy/dialects.h"
#include "fabric/policy/gpu_rails.h"
#include "fabric/policy/job_gpus.h"
#include "fabric/policy/visible_hcas.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>

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

// The subnet of the address that a rail's traffic comes from; nothing where it cannot be told.
std::optional<IpPrefix> subnet_of(const Rail& rail, const NodeSnapshot& snapshot,
                                  const GidWish& wish) {
    const GidEntry* const gid = find_gid(*rail.port, wish);
    for (const Netdev& netdev : snapshot.netdevs) {
        for (const NetAddress& it : netdev.addresses) {
            if (gid != nullptr && netdev.name == gid->netdev && it.address == gid->gid.address()) {
                return prefix_of(it.address, it.prefix_length);
            }
        }
    }
    return std::nullopt;
}

// Rails in subnets of their own may be networks of their own.
void note_rail_subnets(const Intent& intent, const NodeSnapshot& snapshot, EnvPlan& plan) {
    std::set<IpPrefix> subnets;
    for (const Rail& rail : intent.rails.rails) {
        const auto subnet = intent.gid ? subnet_of(rail, snapshot, intent.gid->wish) : std::nullopt;
        if (!subnet || !subnets.insert(*subnet).second) {
            return;
        }
    }
    if (subnets.size() > 1) {
        plan.notes.emplace_back(
            "each rail is in a subnet of its own: where these are not routed to each other, set "
            "NCCL_CROSS_NIC=0, and with RCCL NCCL_PXN_DISABLE=0, in [environment]");
    }
}

void note_memlock(const NodeSnapshot& snapshot, EnvPlan& plan) {
    if (snapshot.memlock_limit && plan.fabric != FabricKind::None) {
        plan.notes.push_back(fmt::format(
            "locked memory is limited to {} bytes, and RDMA needs more; set it to unlimited for "
            "slurmd and look at PropagateResourceLimits",
            *snapshot.memlock_limit));
    }
}

// What the file sets and the plan leaves open counts, an old GID index above all.
void note_nccl_conf(const NodeSnapshot& snapshot, EnvPlan& plan) {
    for (const auto& [name, value] : snapshot.nccl_conf) {
        const auto planned = std::ranges::find(plan.variables, name, &EnvChange::name);
        if (planned != plan.variables.end() && !planned->value) {
            plan.notes.push_back(fmt::format(
                "/etc/nccl.conf sets {}={}, which the plan leaves open on purpose; take "
                "the line out",
                name, printable(value)));
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
    VisibleRails visible =
        visible_rails(choose_rails(snapshot, profile), snapshot, wish.visible_hcas);
    intent.rails = rails_of_gpus(std::move(visible.choice), snapshot, gpus.positions);
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
    for (const std::string& note : {gpus.note, visible.note}) {
        if (!note.empty()) {
            plan.notes.push_back(note);
        }
    }
    note_rail_subnets(intent, snapshot, plan);
    for (const std::string& rail : intent.rails.missing) {
        plan.notes.push_back(fmt::format("{}: a rail of profile {}, and no port of this node",
                                         printable(rail), profile.name));
    }
    note_memlock(snapshot, plan);
    note_nccl_conf(snapshot, plan);
    note_peers(snapshot, plan);
    note_problems(snapshot, plan);
    return plan;
}

}  // namespace ferrule
