#include "fabric/check/checks.h"
#include "fabric/check/compare.h"

namespace ferrule {

void check_relaxed_ordering(const CheckInput& input, Findings& findings) {
    const auto& wanted = input.profile.expected.relaxed_ordering;
    for (const Subject& subject : device_subjects(input)) {
        const auto& pcie = subject.port.hca->pcie;
        const auto enabled = pcie ? pcie->relaxed_ordering : std::optional<bool>{};
        if (!wanted) {
            findings.not_applicable(subject.object, "the profile says nothing of it");
        } else if (!enabled) {
            findings.unknown(subject.object, "its PCI settings cannot be read; it takes root");
        } else if (*enabled == (*wanted == Switched::On)) {
            findings.pass(subject.object, *enabled ? "on" : "off");
        } else {
            findings.fail({subject.object, *enabled ? "on" : "off", *enabled ? "off" : "on",
                           rule_of(input.profile, "relaxed_ordering"),
                           "set it in the firmware setup, or with setpci CAP_EXP+8"});
        }
    }
}

}  // namespace ferrule
