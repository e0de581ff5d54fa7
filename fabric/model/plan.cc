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

bool is_variable_name(std::string_view name) {
    const bool plain = name.find_first_not_of(
                           "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
                           "0123456789_") == std::string_view::npos;
    return plain && !name.empty() && (name.front() < '0' || name.front() > '9');
}

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
