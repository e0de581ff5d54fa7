#include "fabric/policy/dialects.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace ferrule {

namespace {

// Range, index and partition fit the rails that were planned, and no others.
constexpr std::string_view kHcaList = "NCCL_IB_HCA";
constexpr std::string_view kGidGroup = "gid";
constexpr std::string_view kClassGroup = "traffic class";

EnvChange hca_list(const Intent& intent) {
    EnvChange change{std::string{kHcaList}, {}, {}, {}, {}};
    const std::size_t count = intent.rails.rails.size();
    if (!has_verbs_rails(intent)) {
        change.reason = "no InfiniBand or RoCE rail";
        return change;
    }
    // Without "=" NCCL matches prefixes, and mlx5_1 would also take mlx5_10.
    change.value = "=" + port_list(intent.rails.rails);
    change.reason =
        fmt::format("{} rail{} of the compute fabric, exact names with ports in PCI order", count,
                    count == 1 ? "" : "s");
    constexpr std::size_t kOldLimit = 16;
    if (count > kOldLimit && !intent.profile.nccl) {
        change.reason +=
            "; NCCL up to 2.18.3 reads 16 only: set oldest_nccl where jobs load such a one";
    }
    return change;
}

EnvChange socket_interface(const Intent& intent) {
    EnvChange change{"NCCL_SOCKET_IFNAME", {}, {}, {}, {}};
    if (intent.socket.name.empty()) {
        change.reason = intent.socket.reason;
        return change;
    }
    change.value = "=" + intent.socket.name;
    change.reason = intent.socket.reason;
    return change;
}

std::vector<EnvChange> gid_variables(const GidPolicy& policy) {
    const std::string group{kGidGroup};
    const bool v4 = policy.wish.family == IpFamily::V4;
    const bool version_2 = policy.wish.type == GidType::RoceV2;
    std::vector<EnvChange> changes;
    changes.push_back({"NCCL_IB_ADDR_FAMILY",
                       v4 ? "AF_INET" : "AF_INET6",
                       "family of the rails' routable GIDs",
                       group,
                       {}});
    changes.push_back({"NCCL_IB_ROCE_VERSION_NUM", version_2 ? "2" : "1",
                       version_2 ? "RoCE v2 crosses routers" : "roce_version of the profile",
                       group});
    EnvChange range{"NCCL_IB_ADDR_RANGE", {}, {}, group, std::string{kHcaList}};
    if (policy.range) {
        range.value = to_text(*policy.range);
    }
    range.reason = policy.range_reason;
    changes.push_back(range);
    EnvChange index{"NCCL_IB_GID_INDEX", {}, {}, group, std::string{kHcaList}};
    if (policy.index) {
        index.value = std::to_string(*policy.index);
    }
    index.reason = policy.index_reason;
    changes.push_back(index);
    return changes;
}

// The small control messages have a class of their own in 2.22 and 2.23 and in HPC-X.
std::vector<EnvChange> traffic_class(const Intent& intent) {
    if (!intent.profile.traffic_class || intent.rails.kind != FabricKind::Roce) {
        return {};
    }
    const std::string value = std::to_string(*intent.profile.traffic_class);
    const std::string reason =
        fmt::format("traffic class of profile {} (DSCP {})", intent.profile.name,
                    *intent.profile.traffic_class >> 2U);
    const std::string group{kClassGroup};
    return {
        {"NCCL_IB_TC", value, reason, group, {}},
        {"NCCL_IB_FIFO_TC", value, "control messages in the same class as the data", group, {}}};
}

std::vector<EnvChange> service_level(const Intent& intent) {
    if (!intent.profile.service_level) {
        return {};
    }
    return {{"NCCL_IB_SL",
             std::to_string(*intent.profile.service_level),
             fmt::format("service_level of profile {}", intent.profile.name),
             {}}};
}

// Of a table with both kinds of membership the full one.
std::optional<unsigned> index_of_partition(const Port& port, Pkey pkey) {
    const PkeyEntry* found = nullptr;
    for (const PkeyEntry& entry : port.pkeys) {
        const bool fits = entry.pkey.partition() == pkey.partition();
        if (fits &&
            (found == nullptr || (entry.pkey.full_member() && !found->pkey.full_member()))) {
            found = &entry;
        }
    }
    return found != nullptr ? std::optional{found->index} : std::nullopt;
}

// NCCL takes an index into the table, one for all ports.
std::vector<EnvChange> partition_index(const Intent& intent) {
    if (!intent.profile.pkey || intent.rails.kind != FabricKind::InfiniBand) {
        return {};
    }
    std::set<std::optional<unsigned>> indexes;
    for (const Rail& rail : intent.rails.rails) {
        indexes.insert(index_of_partition(*rail.port, *intent.profile.pkey));
    }
    EnvChange change{"NCCL_IB_PKEY", {}, {}, {}, std::string{kHcaList}};
    const std::optional<unsigned> index = *indexes.begin();
    if (indexes.size() == 1 && index) {
        change.value = std::to_string(*index);
        change.reason =
            fmt::format("index of P_Key {} on all rails", to_text(*intent.profile.pkey));
    } else {
        change.reason =
            fmt::format("P_Key {} has different indexes on the rails, and NCCL takes one for all",
                        to_text(*intent.profile.pkey));
    }
    return {change};
}

std::vector<EnvChange> tcp_only() {
    const std::string reason = "TCP was asked for";
    return {
        {"NCCL_NET", "Socket", reason, {}, {}},
        {"NCCL_IB_DISABLE", "1", reason, {}, {}},
        {"NCCL_IBEXT_DISABLE", "1", reason + "; the HPC-X plugin has a switch of its own", {}, {}}};
}

void append(std::vector<EnvChange>& changes, std::vector<EnvChange> more) {
    changes.insert(changes.end(), std::make_move_iterator(more.begin()),
                   std::make_move_iterator(more.end()));
}

}  // namespace

std::vector<EnvChange> nccl_variables(const Intent& intent) {
    if (intent.mode == FabricMode::Tcp) {
        std::vector<EnvChange> changes = tcp_only();
        changes.push_back(socket_interface(intent));
        return changes;
    }
    std::vector<EnvChange> changes{hca_list(intent)};
    if (intent.rails.only_foreign_ports) {
        for (const char* name : {"NCCL_IB_DISABLE", "NCCL_IBEXT_DISABLE"}) {
            changes.push_back({name,
                               "1",
                               intent.rails.kind == FabricKind::Efa
                                   ? "the rails are EFA, and every port that NCCL itself could "
                                     "drive is of another network"
                                   : "no rail, and every ACTIVE port is of another network",
                               {},
                               std::string{kHcaList}});
        }
    }
    changes.push_back(socket_interface(intent));
    if (intent.gid) {
        append(changes, gid_variables(*intent.gid));
    }
    append(changes, traffic_class(intent));
    append(changes, service_level(intent));
    append(changes, partition_index(intent));
    return changes;
}

}  // namespace ferrule
