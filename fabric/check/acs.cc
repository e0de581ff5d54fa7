#include "fabric/check/checks.h"
#include "fabric/check/compare.h"
#include "fabric/policy/rail_rules.h"

#include <algorithm>

namespace ferrule {

namespace {

const PciHop* redirecting_bridge(const std::vector<PciHop>& path) {
    const auto found = std::ranges::find_if(
        path, [](const PciHop& hop) { return hop.acs_redirects.value_or(false); });
    return found == path.end() ? nullptr : &*found;
}

bool is_told(const Hca& hca) {
    return hca.pcie && std::ranges::any_of(hca.pcie->path, [](const PciHop& hop) {
               return hop.acs_redirects.has_value();
           });
}

void check_device(const CheckInput& input, const Subject& it, Findings& findings) {
    const auto& wanted = input.profile.expected.acs;
    if (!is_told(*it.port.hca)) {
        if (wanted) {
            findings.unknown(it.object,
                             "access control of the bridges above it cannot be read; it "
                             "takes root");
        } else {
            findings.not_applicable(it.object, "not told by the bridges above it");
        }
        return;
    }
    const PciHop* const bridge = redirecting_bridge(it.port.hca->pcie->path);
    if (wanted == Switched::On && bridge == nullptr) {
        findings.fail({it.object, "off", "on", rule_of(input.profile, "acs"),
                       "switch access control on in the firmware setup"});
    } else if (bridge == nullptr || wanted == Switched::On ||
               (!wanted && !beside_gpu(*it.port.hca, input.snapshot))) {
        findings.pass(it.object, bridge == nullptr ? "off" : "on");
    } else {
        findings.fail(
            {it.object, "requests are redirected at " + to_text(bridge->address), "off",
             wanted ? rule_of(input.profile, "acs") : "GPU and adapter talk through their switch",
             "switch access control services off on the bridges (setpci ECAP_ACS), or "
             "virtualisation in the firmware setup"},
            wanted ? Severity::Critical : Severity::Warning);
    }
}

}  // namespace

void check_acs(const CheckInput& input, Findings& findings) {
    for (const Subject& subject : device_subjects(input)) {
        check_device(input, subject, findings);
    }
}

}  // namespace ferrule
