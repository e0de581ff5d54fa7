#include "fabric/model/netdev.h"

#include <array>

namespace ferrule {

std::string_view to_text(NetdevKind kind) {
    static constexpr std::array<std::string_view, 5> kNames{"physical", "bond", "vlan", "loopback",
                                                            "virtual"};
    return kNames.at(static_cast<std::size_t>(kind));
}

}  // namespace ferrule
