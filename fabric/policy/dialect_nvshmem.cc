#include "fabric/policy/dialects.h"

#include <algorithm>
#include <iterator>

namespace ferrule {

namespace {

constexpr const char* kHcaList = "NVSHMEM_HCA_LIST";

// NVSHMEM passes over devices that do not begin with its prefix, "mlx5" by default.
std::vector<EnvChange> name_prefix(const std::vector<Rail>& rails) {
    const bool usual = std::ranges::all_of(
        rails, [](const Rail& rail) { return rail.hca->name.starts_with("mlx5"); });
    if (usual) {
        return {};
    }
    EnvChange change{"NVSHMEM_HCA_PREFIX", {}, {}, {}, kHcaList};
    const std::string beginning = common_beginning(rails);
    if (beginning.empty()) {
        change.reason = "the rails' names begin unlike each other, and NVSHMEM takes one prefix";
    } else {
        change.value = beginning;
        change.reason = "what the rails' names begin with; NVSHMEM would pass over all but mlx5*";
    }
    return {change};
}

std::vector<EnvChange> gid_variables(const GidPolicy& policy) {
    const std::string group = "nvshmem gid";
    const bool v4 = policy.wish.family == IpFamily::V4;
    std::vector<EnvChange> changes{{"NVSHMEM_IB_ADDR_FAMILY",
                                    v4 ? "AF_INET" : "AF_INET6",
                                    "family of the rails' routable GIDs",
                                    group,
                                    {}},
                                   {"NVSHMEM_IB_ROCE_VERSION_NUM",
                                    policy.wish.type == GidType::RoceV2 ? "2" : "1",
                                    "as for NCCL",
                                    group,
                                    {}}};
    // It runs the same rule as NCCL, of whatever version.
    if (policy.astray && policy.index) {
        changes.push_back({"NVSHMEM_IB_GID_INDEX", std::to_string(*policy.index),
                           "as for NCCL: nothing else leads to the row", group, kHcaList});
    }
    if (policy.range) {
        changes.push_back({"NVSHMEM_IB_ADDR_RANGE", to_text(*policy.range), policy.range_reason,
                           group, kHcaList});
    }
    return changes;
}

}  // namespace

// Exact names without "="; the bootstrap alone speaks NCCL's grammar.
std::vector<EnvChange> nvshmem_variables(const Intent& intent) {
    std::vector<EnvChange> changes;
    if (intent.mode == FabricMode::Auto && has_verbs_rails(intent)) {
        const std::vector<Rail>& rails = intent.rails.rails;
        changes.push_back({kHcaList, port_list(rails), "the same rails", {}, {}});
        std::ranges::move(name_prefix(rails), std::back_inserter(changes));
        if (intent.gid) {
            std::ranges::move(gid_variables(*intent.gid), std::back_inserter(changes));
        }
        std::ranges::move(class_variables(intent, "NVSHMEM_IB_TRAFFIC_CLASS", "NVSHMEM_IB_SL"),
                          std::back_inserter(changes));
    }
    if (!intent.socket.name.empty()) {
        changes.push_back({"NVSHMEM_BOOTSTRAP_UID_SOCK_IFNAME",
                           "=" + intent.socket.name,
                           "the same interface as NCCL's",
                           {},
                           {}});
    }
    return changes;
}

}  // namespace ferrule
