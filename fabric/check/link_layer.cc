#include "fabric/check/checks.h"
#include "fabric/check/compare.h"

namespace ferrule {

void check_link_layer(const CheckInput& input, Findings& findings) {
    Comparison<std::string> question{};
    question.key = "link_layer";
    question.remedy = "set LINK_TYPE of the port in the card's firmware (mlxconfig) and reboot";
    question.not_asked = [](const CheckInput&, const Subject& it) -> std::string_view {
        return it.port.fabric == FabricKind::Efa ? "EFA has none" : "";
    };
    question.value = [](const CheckInput&, const Subject& it) -> std::optional<std::string> {
        const LinkLayer layer = it.port.port->link_layer;
        return layer == LinkLayer::Unspecified ? std::nullopt : std::optional{to_text(layer)};
    };
    question.text = plain_text;
    question.fits = [](const CheckInput& in, const Subject&,
                       const std::string& value) -> std::optional<bool> {
        const auto& wanted = in.profile.link_layer;
        return wanted ? std::optional{to_text(*wanted) == value} : std::nullopt;
    };
    question.wanted = [](const CheckInput& in, const Subject&) {
        return to_text(in.profile.link_layer.value_or(LinkLayer::Unspecified));
    };
    question.source = [](const Subject& it) { return port_path(it.port) + "link_layer"; };
    compare(input, port_subjects(input), question, findings);
}

}  // namespace ferrule
