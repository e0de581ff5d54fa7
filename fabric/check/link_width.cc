#include "fabric/check/checks.h"
#include "fabric/check/compare.h"

namespace ferrule {

namespace {

std::optional<unsigned> lanes_of(const CheckInput&, const Subject& it) {
    if (is_roce(it.port) && it.netdev != nullptr && it.netdev->ethernet &&
        it.netdev->ethernet->lanes) {
        return it.netdev->ethernet->lanes;
    }
    const auto& rate = it.port.port->rate;
    return rate ? std::optional{rate->lanes} : std::nullopt;
}

}  // namespace

void check_link_width(const CheckInput& input, Findings& findings) {
    Comparison<unsigned> question{};
    question.key = "width";
    question.remedy = "a lane of the link is dead: reseat or swap the cable";
    question.not_asked = only_active_wires;
    question.value = lanes_of;
    question.text = [](const unsigned& value) { return std::to_string(value) + " lanes"; };
    question.fits = [](const CheckInput& in, const Subject&,
                       const unsigned& value) -> std::optional<bool> {
        const auto& wanted = in.profile.expected.width;
        return wanted ? std::optional{wanted->contains(value)} : std::nullopt;
    };
    question.wanted = [](const CheckInput& in, const Subject&) {
        return to_text(in.profile.expected.width.value_or(NumberRange{})) + " lanes";
    };
    question.source = [](const Subject& it) { return port_path(it.port) + "rate"; };
    compare(input, port_subjects(input), question, findings);
}

}  // namespace ferrule
