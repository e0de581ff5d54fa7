#include "fabric/model/port_state.h"

#include "fabric/base/text.h"

#include <array>

namespace ferrule {

namespace {

constexpr std::array<std::string_view, 3> kLinkLayers{"Unspecified", "InfiniBand", "Ethernet"};
constexpr std::array<std::string_view, 6> kPortStates{"NOP",   "DOWN",   "INIT",
                                                      "ARMED", "ACTIVE", "ACTIVE_DEFER"};
constexpr std::array<std::string_view, 8> kPhysStates{
    "No state change",           "Sleep",  "Polling",           "Disabled",
    "PortConfigurationTraining", "LinkUp", "LinkErrorRecovery", "Phy Test"};

template <std::size_t N, typename Enum>
std::string name_of(const std::array<std::string_view, N>& names, Enum value) {
    const auto number = static_cast<std::size_t>(value);
    return number < N ? std::string{names[number]} : std::to_string(number);
}

template <typename Enum>
std::optional<Enum> leading_number(std::string_view text) {
    const auto number = parse_number<unsigned>(text.substr(0, text.find(':')));
    return number ? std::optional{static_cast<Enum>(*number)} : std::nullopt;
}

}  // namespace

LinkLayer parse_link_layer(std::string_view text) {
    if (text == kLinkLayers[1]) {
        return LinkLayer::InfiniBand;
    }
    return text == kLinkLayers[2] ? LinkLayer::Ethernet : LinkLayer::Unspecified;
}

std::optional<PortState> parse_port_state(std::string_view text) {
    return leading_number<PortState>(text);
}

std::optional<PhysState> parse_phys_state(std::string_view text) {
    return leading_number<PhysState>(text);
}

std::string to_text(LinkLayer layer) {
    return name_of(kLinkLayers, layer);
}

std::string to_text(PortState state) {
    return name_of(kPortStates, state);
}

std::string to_text(PhysState state) {
    return name_of(kPhysStates, state);
}

}  // namespace ferrule
