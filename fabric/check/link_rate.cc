#include "fabric/check/checks.h"
#include "fabric/check/compare.h"
#include "fabric/policy/rails.h"

namespace ferrule {

namespace {

// Tenths of Gb/s. The interface knows the speed of an Ethernet port; the port's own file does not
// on older kernels.
std::optional<unsigned> rate_of(const CheckInput&, const Subject& it) {
    constexpr unsigned kMegabitsInATenth = 100;
    if (is_roce(it.port) && it.netdev != nullptr && it.netdev->speed) {
        return it.netdev->speed.value_or(0) / kMegabitsInATenth;
    }
    return known_rate({it.port.hca, it.port.port});
}

}  // namespace

void check_link_rate(const CheckInput& input, Findings& findings) {
    Comparison<unsigned> question{};
    question.key = "rate";
    question.remedy = "reseat or swap the cable; look at the speed that the switch port is set to";
    // A port that is down has a rate that means nothing, and EFA's is a constant.
    question.not_asked = only_active_wires;
    question.value = rate_of;
    question.text = [](const unsigned& value) { return gbps_text(value) + " Gb/s"; };
    question.fits = [](const CheckInput& in, const Subject&,
                       const unsigned& value) -> std::optional<bool> {
        const auto& wanted = in.profile.expected.rate;
        return wanted ? std::optional{wanted->contains(value)} : std::nullopt;
    };
    question.wanted = [](const CheckInput& in, const Subject&) {
        return to_text(in.profile.expected.rate.value_or(NumberRange{}), Unit::Tenth) + " Gb/s";
    };
    question.source = [](const Subject& it) { return port_path(it.port) + "rate"; };
    compare(input, port_subjects(input), question, findings);
}

}  // namespace ferrule
