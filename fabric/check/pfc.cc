#include "fabric/check/checks.h"
#include "fabric/check/compare.h"

namespace ferrule {

void check_pfc(const CheckInput& input, Findings& findings) {
    Comparison<std::string> question{};
    question.key = "pfc";
    question.remedy =
        "mlnx_qos --pfc, or dcb pfc set, for these priorities, and the same on the "
        "switch port";
    question.not_asked = [](const CheckInput& in, const Subject& it) -> std::string_view {
        const bool told = it.netdev->dcb && it.netdev->dcb->pfc;
        return told || in.profile.expected.pfc || is_dcb_unread(in, it) ? ""
                                                                        : "this driver has no DCB";
    };
    question.value = [](const CheckInput&, const Subject& it) -> std::optional<std::string> {
        return it.netdev->dcb && it.netdev->dcb->pfc
                   ? std::optional{to_text(it.netdev->dcb->pfc->enabled)}
                   : std::nullopt;
    };
    question.text = [](const std::string& value) { return "priorities " + value; };
    question.fits = [](const CheckInput& in, const Subject&,
                       const std::string& value) -> std::optional<bool> {
        const auto& wanted = in.profile.expected.pfc;
        return wanted ? std::optional{to_text(*wanted) == value} : std::nullopt;
    };
    question.wanted = [](const CheckInput& in, const Subject&) {
        return "priorities " + to_text(in.profile.expected.pfc.value_or(PrioritySet{}));
    };
    question.source = dcb_source;
    compare(input, interface_subjects(input), question, findings);
}

}  // namespace ferrule
