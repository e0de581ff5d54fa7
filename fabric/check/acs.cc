#include "fabric/check/checks.h"
#include "fabric/check/compare.h"
#include "fabric/policy/rail_rules.h"

#include <algorithm>

namespace ferrule {

namespace {

bool is_told(const PciHealth& pcie) {
    return std::ranges::any_of(pcie.path,
                               [](const PciHop& hop) { return hop.acs_redirects.has_value(); });
}

// The bridge that sends requests through the root complex; empty without one.
std::string redirecting_bridge(const PciHealth& pcie) {
    const auto found = std::ranges::find_if(
        pcie.path, [](const PciHop& hop) { return hop.acs_redirects.value_or(false); });
    return found == pcie.path.end() ? std::string{} : to_text(found->address);
}

void say_untold(const CheckInput& input, const Subject& it, Findings& findings) {
    if (input.profile.expected.acs) {
        findings.unknown(it.object,
                         "access control of the bridges above it cannot be read; it takes root");
    } else {
        findings.not_applicable(it.object, "not told by the bridges above it");
    }
}

void judge(const CheckInput& input, const Subject& it, const std::string& bridge,
           Findings& findings) {
    const auto& wanted = input.profile.expected.acs;
    const bool on = !bridge.empty();
    if (wanted == Switched::On && !on) {
        findings.fail({it.object, "off", "on", rule_of(input.profile, "acs"),
                       "switch access control on in the firmware setup"});
        return;
    }
    const bool harmless = !wanted && !beside_gpu(*it.port.hca, input.snapshot);
    if (!on || wanted == Switched::On || harmless) {
        findings.pass(it.object, on ? "on" : "off");
        return;
    }
    findings.fail(
        {it.object, "requests are redirected at " + bridge, "off",
         wanted ? rule_of(input.profile, "acs") : "GPU and adapter talk through their switch",
         "switch access control services off on the bridges (setpci ECAP_ACS), or "
         "virtualisation in the firmware setup"},
        wanted ? Severity::Critical : Severity::Warning);
}

}  // namespace

void check_acs(const CheckInput& input, Findings& findings) {
    for (const Subject& subject : device_subjects(input)) {
        const PciHealth pcie = subject.port.hca->pcie.value_or(PciHealth{});
        if (is_told(pcie)) {
            judge(input, subject, redirecting_bridge(pcie), findings);
        } else {
            say_untold(input, subject, findings);
        }
    }
}

}  // namespace ferrule
