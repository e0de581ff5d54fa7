#include "fabric/check/checks.h"
#include "fabric/check/compare.h"

namespace ferrule {

namespace {

void check_device(const CheckInput& input, const Subject& it, Switched wanted, Findings& findings) {
    const auto& pcie = it.port.hca->pcie;
    const auto enabled = pcie ? pcie->relaxed_ordering : std::optional<bool>{};
    if (!enabled) {
        findings.unknown(it.object, "its PCI settings cannot be read; it takes root");
    } else if (*enabled == (wanted == Switched::On)) {
        findings.pass(it.object, *enabled ? "on" : "off");
    } else {
        findings.fail({it.object, *enabled ? "on" : "off", *enabled ? "off" : "on",
                       rule_of(input.profile, "relaxed_ordering"),
                       "set it in the firmware setup, or with setpci CAP_EXP+8"});
    }
}

}  // namespace

void check_relaxed_ordering(const CheckInput& input, Findings& findings) {
    const auto& wanted = input.profile.expected.relaxed_ordering;
    for (const Subject& subject : device_subjects(input)) {
        if (wanted) {
            check_device(input, subject, *wanted, findings);
        } else {
            findings.not_applicable(subject.object, "the profile says nothing of it");
        }
    }
}

}  // namespace ferrule
