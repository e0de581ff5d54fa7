#include "fabric/policy/dialects.h"

namespace ferrule {

// The AWS plugin chooses devices, topology and protocol itself; only the provider needs a word.
std::vector<EnvChange> libfabric_variables(const Intent& intent) {
    if (intent.rails.kind != FabricKind::Efa || intent.mode == FabricMode::Tcp) {
        return {};
    }
    return {
        {"FI_PROVIDER", "efa", "the rails are EFA; without it libfabric may fall back to TCP", {}}};
}

}  // namespace ferrule
