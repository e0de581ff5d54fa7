#include "fabric/policy/dialects.h"

#include <fmt/format.h>

namespace ferrule {

// UCX knows neither "=" nor prefixes, wants the port, and filters TCP by the same list.
std::vector<EnvChange> ucx_variables(const Intent& intent) {
    EnvChange devices{"UCX_NET_DEVICES", {}, {}, {}};
    if (intent.mode == FabricMode::Tcp) {
        if (!intent.socket.name.empty()) {
            devices.value = intent.socket.name;
        }
        devices.reason = devices.value ? "TCP was asked for" : "no interface for TCP";
        return {devices};
    }
    if (!has_verbs_rails(intent)) {
        devices.reason = "no InfiniBand or RoCE rail";
        return {devices};
    }
    devices.value = port_list(intent.rails.rails);
    devices.reason = "the same rails";
    if (!intent.socket.name.empty()) {
        *devices.value += "," + intent.socket.name;
        devices.reason += ", and the interface for TCP, which this list filters too";
    }
    std::vector<EnvChange> changes{devices};
    const NodeProfile& profile = intent.profile;
    if (intent.gid && intent.gid->astray && intent.gid->index) {
        changes.push_back({"UCX_IB_GID_INDEX",
                           std::to_string(*intent.gid->index),
                           "as for NCCL: another row has the same family and version",
                           {},
                           devices.name});
    }
    if (profile.traffic_class && intent.rails.kind == FabricKind::Roce) {
        changes.push_back({"UCX_IB_TRAFFIC_CLASS",
                           std::to_string(*profile.traffic_class),
                           fmt::format("traffic class of profile {}", profile.name),
                           {}});
    }
    if (profile.service_level) {
        changes.push_back({"UCX_IB_SL",
                           std::to_string(*profile.service_level),
                           fmt::format("service_level of profile {}", profile.name),
                           {}});
    }
    if (profile.pkey && intent.rails.kind == FabricKind::InfiniBand) {
        changes.push_back({"UCX_IB_PKEY",
                           fmt::format("{:#x}", profile.pkey->partition()),
                           "the partition itself: UCX takes the value, not the index",
                           {}});
    }
    return changes;
}

}  // namespace ferrule
