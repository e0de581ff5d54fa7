#include "fabric/policy/dialects.h"

#include <algorithm>

namespace ferrule {

namespace {

// libfabric's verbs provider takes one beginning of device names. Empty where none takes the rails
// and nothing else.
std::string device_beginning(const Intent& intent) {
    const std::vector<Rail>& rails = intent.rails.rails;
    const std::string beginning = common_beginning(rails);
    const bool takes_others =
        std::ranges::any_of(intent.rails.verdicts, [&](const PortVerdict& verdict) {
            return !verdict.used && verdict.hca.starts_with(beginning) &&
                   std::ranges::none_of(
                       rails, [&](const Rail& rail) { return rail.hca->name == verdict.hca; });
        });
    return takes_others ? std::string{} : beginning;
}

}  // namespace

// The AWS plugin chooses devices, topology and protocol itself; only the provider needs a word.
std::vector<EnvChange> libfabric_variables(const Intent& intent) {
    if (intent.rails.kind != FabricKind::Efa || intent.mode == FabricMode::Tcp) {
        return {};
    }
    return {{"FI_PROVIDER",
             "efa",
             "the rails are EFA; without it libfabric may fall back to TCP",
             {},
             {}}};
}

std::vector<EnvChange> mpich_variables(const Intent& intent) {
    std::vector<EnvChange> changes;
    if (!intent.socket.name.empty()) {
        changes.push_back(
            {"FI_TCP_IFACE", intent.socket.name, "the same interface as NCCL's", {}, {}});
    }
    if (intent.mode == FabricMode::Auto && has_verbs_rails(intent)) {
        EnvChange change{"FI_VERBS_DEVICE_NAME", {}, {}, {}, {}};
        const std::string beginning = device_beginning(intent);
        if (beginning.empty()) {
            change.reason = "no beginning of a name takes the rails and no other device";
        } else {
            change.value = beginning;
            change.reason = "what the rails' names, and no others, begin with";
        }
        changes.push_back(std::move(change));
    }
    return changes;
}

}  // namespace ferrule
