#include "fabric/check/checks.h"
#include "fabric/check/compare.h"

namespace ferrule {

void check_netdev_mtu(const CheckInput& input, Findings& findings) {
    Comparison<unsigned> question{};
    question.key = "mtu";
    question.remedy =
        "ip link set the MTU, and where the interface is configured; then look at "
        "every switch port on the way";
    question.not_asked = [](const CheckInput&, const Subject& it) -> std::string_view {
        if (!is_roce(it.port)) {
            return "only RoCE takes its packet size from the interface";
        }
        return it.netdev == nullptr ? "its interface is not in this network namespace" : "";
    };
    question.value = [](const CheckInput&, const Subject& it) { return it.netdev->mtu; };
    question.text = [](const unsigned& value) { return "MTU " + std::to_string(value); };
    question.fits = [](const CheckInput& in, const Subject&,
                       const unsigned& value) -> std::optional<bool> {
        const auto& wanted = in.profile.expected.mtu;
        return wanted ? std::optional{wanted->contains(value)} : std::nullopt;
    };
    question.wanted = [](const CheckInput& in, const Subject&) {
        return "MTU " + to_text(in.profile.expected.mtu.value_or(NumberRange{}));
    };
    question.source = [](const Subject& it) { return "sys/class/net/" + it.netdev->name + "/mtu"; };
    std::vector<Subject> subjects = port_subjects(input);
    for (Subject& subject : subjects) {
        const bool named = is_roce(subject.port) && subject.netdev != nullptr;
        subject.object = named ? subject.netdev->name : subject.object;
    }
    compare(input, subjects, question, findings);
}

}  // namespace ferrule
