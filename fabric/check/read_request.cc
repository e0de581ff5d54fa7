#include "fabric/check/checks.h"
#include "fabric/check/compare.h"

#include <fmt/format.h>

namespace ferrule {

void check_read_request(const CheckInput& input, Findings& findings) {
    const auto& wanted = input.profile.expected.read_request;
    for (const Subject& subject : device_subjects(input)) {
        const auto& pcie = subject.port.hca->pcie;
        const auto bytes = pcie ? pcie->max_read_request : std::optional<unsigned>{};
        if (!wanted) {
            findings.not_applicable(subject.object, "the profile says nothing of it");
        } else if (!bytes) {
            findings.unknown(subject.object, "its PCI settings cannot be read; it takes root");
        } else if (wanted->contains(*bytes)) {
            findings.pass(subject.object, fmt::format("{} bytes", *bytes));
        } else {
            findings.fail({subject.object, fmt::format("{} bytes", *bytes), to_text(*wanted),
                           rule_of(input.profile, "read_request"),
                           "set it in the firmware setup, or with setpci CAP_EXP+8"});
        }
    }
}

}  // namespace ferrule
