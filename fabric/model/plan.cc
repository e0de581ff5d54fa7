#include "fabric/model/plan.h"

#include <array>
#include <utility>

namespace ferrule {

namespace {

constexpr std::array kModes{
    std::pair{FabricMode::Auto, std::string_view{"auto"}},
    std::pair{FabricMode::Off, std::string_view{"off"}},
    std::pair{FabricMode::Tcp, std::string_view{"tcp"}},
};

}  // namespace

std::optional<FabricMode> parse_fabric_mode(std::string_view text) {
    for (const auto& [mode, name] : kModes) {
        if (name == text) {
            return mode;
        }
    }
    return std::nullopt;
}

std::string_view to_text(FabricMode mode) {
    return kModes.at(static_cast<std::size_t>(mode)).second;
}

std::string_view to_text(FabricKind kind) {
    static constexpr std::array<std::string_view, 4> kNames{"none", "InfiniBand", "RoCE", "EFA"};
    return kNames.at(static_cast<std::size_t>(kind));
}

}  // namespace ferrule
