#include "fabric/check/checks.h"
#include "fabric/check/compare.h"

namespace ferrule {

void check_fec(const CheckInput& input, Findings& findings) {
    Comparison<std::string> question{};
    question.key = "fec";
    question.remedy = "set the same mode at both ends: ethtool --set-fec, and the switch port";
    question.not_asked = [](const CheckInput& in, const Subject& it) -> std::string_view {
        const bool told = it.netdev->ethernet && it.netdev->ethernet->fec;
        return told || in.profile.expected.fec ? "" : "not told by this driver";
    };
    question.value = [](const CheckInput&, const Subject& it) -> std::optional<std::string> {
        return it.netdev->ethernet ? it.netdev->ethernet->fec : std::nullopt;
    };
    question.text = plain_text;
    question.fits = [](const CheckInput& in, const Subject&,
                       const std::string& value) -> std::optional<bool> {
        const auto& wanted = in.profile.expected.fec;
        return wanted ? std::optional{*wanted == value} : std::nullopt;
    };
    question.wanted = [](const CheckInput& in, const Subject&) {
        return in.profile.expected.fec.value_or(std::string{});
    };
    question.source = [](const Subject& it) { return "ethtool " + it.object; };
    question.odd_one = Severity::Warning;
    compare(input, interface_subjects(input), question, findings);
}

}  // namespace ferrule
