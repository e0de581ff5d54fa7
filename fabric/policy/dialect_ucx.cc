#include "fabric/policy/dialects.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

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
    std::ranges::move(class_variables(intent, "UCX_IB_TRAFFIC_CLASS", "UCX_IB_SL"),
                      std::back_inserter(changes));
    if (profile.pkey && intent.rails.kind == FabricKind::InfiniBand) {
        changes.push_back({"UCX_IB_PKEY",
                           fmt::format("{:#x}", profile.pkey->partition()),
                           "the partition itself: UCX takes the value, not the index",
                           {}});
    }
    return changes;
}

}  // namespace ferrule
