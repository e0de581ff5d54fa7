#include "fabric/check/checks.h"
#include "fabric/check/compare.h"

namespace ferrule {

void check_trust(const CheckInput& input, Findings& findings) {
    Comparison<std::string> question{};
    question.key = "trust";
    question.remedy = "mlnx_qos --trust, or dcb app add with dscp-prio entries";
    question.not_asked = [](const CheckInput& in, const Subject& it) -> std::string_view {
        const bool told = it.netdev->dcb && it.netdev->dcb->applications;
        return told || in.profile.expected.trust || is_dcb_unread(in, it)
                   ? ""
                   : "this driver has no DCB";
    };
    question.value = [](const CheckInput&, const Subject& it) -> std::optional<std::string> {
        const auto trust = it.netdev->dcb ? trust_of(*it.netdev->dcb) : std::nullopt;
        return trust ? std::optional{std::string{to_text(*trust)}} : std::nullopt;
    };
    question.text = plain_text;
    question.fits = [](const CheckInput& in, const Subject&,
                       const std::string& value) -> std::optional<bool> {
        const auto& wanted = in.profile.expected.trust;
        return wanted ? std::optional{to_text(*wanted) == value} : std::nullopt;
    };
    question.wanted = [](const CheckInput& in, const Subject&) {
        return std::string{to_text(in.profile.expected.trust.value_or(TrustMode::Dscp))};
    };
    question.source = dcb_source;
    compare(input, interface_subjects(input), question, findings);
}

}  // namespace ferrule
