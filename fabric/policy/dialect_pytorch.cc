#include "fabric/policy/dialects.h"

namespace ferrule {

// Exact names only. Over a name without an address Gloo ends the process and TensorPipe falls back
// to 127.0.0.1, so none is given then.
std::vector<EnvChange> pytorch_variables(const Intent& intent) {
    std::vector<EnvChange> changes;
    for (const char* name : {"GLOO_SOCKET_IFNAME", "TP_SOCKET_IFNAME"}) {
        EnvChange change{name, {}, intent.socket.reason, {}, {}};
        if (!intent.socket.name.empty()) {
            change.value = intent.socket.name;
            change.reason = "the same interface as NCCL's";
        }
        changes.push_back(change);
    }
    return changes;
}

}  // namespace ferrule
