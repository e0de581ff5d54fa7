#include "fabric/check/check_words.h"
#include "fabric/check/checks.h"

namespace ferrule {

void check_sm_changed(const CheckInput& input, Findings& findings) {
    for (const ScopedPort& port : input.scope.ports) {
        const auto now = input.facts.find(port.object + " sm lid");
        const auto& earlier = input.history.last.facts;
        const auto before = earlier.find(port.object + " sm lid");
        if (!is_infiniband(port) || !is_active(port) || now == input.facts.end()) {
            continue;
        }
        if (before == earlier.end() || before->second == now->second) {
            findings.pass(port.object, "subnet manager at " + now->second);
            continue;
        }
        findings.fail({port.object, "subnet manager at " + now->second,
                       before->second + ", as in the run before", "the subnet manager stays",
                       "a standby took over: look at the log of opensm on both"});
    }
    if (findings.empty()) {
        findings.not_applicable("node", "no InfiniBand rail is ACTIVE");
    }
}

}  // namespace ferrule
