#include "fabric/policy/dialects.h"

namespace ferrule {

// Exact names only; a name without an address ends the process, so none is given then.
std::vector<EnvChange> gloo_variables(const Intent& intent) {
    EnvChange change{"GLOO_SOCKET_IFNAME", {}, {}, {}};
    if (intent.socket.name.empty()) {
        change.reason = intent.socket.reason;
    } else {
        change.value = intent.socket.name;
        change.reason = "the same interface as NCCL's";
    }
    return {change};
}

}  // namespace ferrule
