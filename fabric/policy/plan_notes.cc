#include "fabric/policy/plan_notes.h"

#include "fabric/base/text.h"
#include "fabric/model/library_variable.h"
#include "fabric/policy/routes.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>

namespace ferrule {

namespace {

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
        if (!subnet) {
            return;
        }
        if (!subnets.insert(*subnet).second) {
            plan.notes.push_back(
                fmt::format("several rails are in {}: let each answer ARP for its own address only "
                            "(arp_ignore, "
                            "arp_announce); where rails of one node do not reach each other, set "
                            "NCCL_NET_DISABLE_INTRA=1 in [environment]",
                            to_text(*subnet)));
            return;
        }
    }
    if (subnets.size() > 1) {
        plan.notes.emplace_back(
            "each rail is in a subnet of its own: where these are not routed to each other, set "
            "NCCL_CROSS_NIC=0, and with RCCL NCCL_PXN_DISABLE=0, in [environment]");
    }
}

// Modes that use all links at once.
bool spreads(const Bond& bond) {
    return bond.mode.starts_with("802.3ad") || bond.mode.starts_with("balance");
}

// Such a bond spreads traffic by connection, so that one queue pair loads one of its links.
void note_bonds(const Intent& intent, const NodeSnapshot& snapshot, EnvPlan& plan) {
    for (const Rail& rail : intent.rails.rails) {
        const Netdev* const netdev = find_netdev(snapshot, rail.port->netdev);
        const Bond bond = netdev == nullptr ? Bond{} : netdev->bond.value_or(Bond{});
        if (spreads(bond) && bond.members.size() > 1) {
            plan.notes.push_back(
                fmt::format("{}: a bond of {} links, one of which a single queue pair loads; set "
                            "NCCL_IB_QPS_PER_CONNECTION to 2 or 4 in [environment]",
                            rail.hca->name, bond.members.size()));
            return;
        }
    }
}

// NCCL then takes TCP, or what it finds.
void note_no_rail(const Intent& intent, EnvPlan& plan) {
    if (intent.mode == FabricMode::Auto && intent.rails.rails.empty() &&
        !intent.rails.verdicts.empty()) {
        const bool addresses = std::ranges::any_of(plan.ports, [](const PortVerdict& port) {
            return port.reason.starts_with("no routable");
        });
        plan.notes.emplace_back(
            "no port of this node can be a rail, and each port's line says why");
        plan.notes.back() += addresses
                                 ? "; NCCL may take one by itself, over GIDs that cross no router: "
                                   "give the ports a routable address"
                                 : "; data goes over TCP";
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
        plan.notes.emplace_back(
            snapshot.infiniband_functions == 0
                ? std::string{"no RDMA devices: /sys/class/infiniband is absent"}
                : fmt::format(
                      "/sys/class/infiniband is absent, but PCI shows {} InfiniBand "
                      "adapters: no driver is loaded (mlx5_ib, and the package it comes in)",
                      snapshot.infiniband_functions));
    }
    for (const ReadProblem& problem : snapshot.problems) {
        plan.notes.push_back(fmt::format("{}: {}", problem.where, problem.what));
    }
}

// Only a guess, so no reason to refuse a site's configuration.
void note_site_names(const Intent& intent, EnvPlan& plan) {
    for (const auto& [name, value] : intent.profile.environment) {
        const LibraryVariable* const known = find_library_variable(name);
        const auto meant = variable_meant_by(name);
        if (known != nullptr && !known->instead.empty()) {
            plan.notes.push_back(
                fmt::format("{}: no library reads it any more; use {}", name, known->instead));
        } else if (meant) {
            plan.notes.push_back(fmt::format("{}: in the environment of profile {}; is {} meant?",
                                             name, printable(intent.profile.name), *meant));
        }
    }
}

void note_missing_rails(const Intent& intent, EnvPlan& plan) {
    for (const std::string& rail : intent.rails.missing) {
        plan.notes.push_back(fmt::format("{}: a rail of profile {}, and no port of this node",
                                         printable(rail), intent.profile.name));
    }
}

}  // namespace

void add_notes(const Intent& intent, const NodeSnapshot& snapshot, EnvPlan& plan) {
    note_no_rail(intent, plan);
    note_rail_subnets(intent, snapshot, plan);
    note_bonds(intent, snapshot, plan);
    note_missing_rails(intent, plan);
    note_site_names(intent, plan);
    note_memlock(snapshot, plan);
    note_nccl_conf(snapshot, plan);
    note_peers(snapshot, plan);
    note_problems(snapshot, plan);
}

}  // namespace ferrule
