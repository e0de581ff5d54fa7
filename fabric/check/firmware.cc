#include "fabric/check/checks.h"
#include "fabric/check/compare.h"

#include <algorithm>

namespace ferrule {

void check_firmware(const CheckInput& input, Findings& findings) {
    Comparison<std::string> question{};
    question.key = "firmware";
    question.remedy = "bring all adapters of a class to one version (mlxfwmanager, niccli)";
    question.not_asked = [](const CheckInput& in, const Subject& it) -> std::string_view {
        const bool known = !it.port.hca->firmware.empty();
        return known || !in.profile.expected.firmware.empty() ? "" : "not told by this driver";
    };
    question.value = [](const CheckInput&, const Subject& it) -> std::optional<std::string> {
        const std::string& version = it.port.hca->firmware;
        return version.empty() ? std::nullopt : std::optional{version};
    };
    question.text = plain_text;
    question.fits = [](const CheckInput& in, const Subject&,
                       const std::string& value) -> std::optional<bool> {
        const auto& rules = in.profile.expected.firmware;
        if (rules.empty()) {
            return std::nullopt;
        }
        return std::ranges::any_of(rules,
                                   [&](const VersionRule& rule) { return rule.fits(value); });
    };
    question.wanted = [](const CheckInput& in, const Subject&) {
        return to_text(in.profile.expected.firmware);
    };
    question.source = [](const Subject& it) {
        return "sys/class/infiniband/" + it.port.hca->name + "/fw_ver";
    };
    question.odd_one = Severity::Warning;
    compare(input, device_subjects(input), question, findings);
}

}  // namespace ferrule
