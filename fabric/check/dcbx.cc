#include "fabric/check/checks.h"
#include "fabric/check/compare.h"

namespace ferrule {

void check_dcbx(const CheckInput& input, Findings& findings) {
    Comparison<std::string> question{};
    question.key = "dcbx";
    question.remedy =
        "dcb dcbx set, or mlnx_qos --dcbx; a firmware that negotiates with the switch "
        "changes PFC and ETS by itself, minutes after the boot";
    question.not_asked = [](const CheckInput& in, const Subject& it) -> std::string_view {
        const bool told = it.netdev->dcb && it.netdev->dcb->dcbx;
        return told || in.profile.expected.dcbx || is_dcb_unread(in, it)
                   ? ""
                   : "this driver has no DCBX";
    };
    question.value = [](const CheckInput&, const Subject& it) -> std::optional<std::string> {
        constexpr unsigned kHost = 1;
        if (!it.netdev->dcb || !it.netdev->dcb->dcbx) {
            return std::nullopt;
        }
        const bool host = (it.netdev->dcb->dcbx.value_or(0) & kHost) != 0;
        return std::string{host ? "host" : "firmware"};
    };
    question.text = [](const std::string& value) { return "controlled by the " + value; };
    question.fits = [](const CheckInput& in, const Subject&,
                       const std::string& value) -> std::optional<bool> {
        const auto& wanted = in.profile.expected.dcbx;
        return wanted ? std::optional{(*wanted == DcbxOwner::Host) == (value == "host")}
                      : std::nullopt;
    };
    question.wanted = [](const CheckInput& in, const Subject&) {
        const bool host = in.profile.expected.dcbx == DcbxOwner::Host;
        return std::string{host ? "the host" : "the firmware"};
    };
    question.source = dcb_source;
    question.odd_one = Severity::Warning;
    compare(input, interface_subjects(input), question, findings);
}

}  // namespace ferrule
