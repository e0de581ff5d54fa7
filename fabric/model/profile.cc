#include "fabric/model/profile.h"

#include "fabric/base/text.h"

#include <algorithm>
#include <array>

namespace ferrule {

GidWish base_gid_wish(const NodeProfile& profile) {
    GidWish wish{};
    wish.type = profile.roce_version == 1U ? GidType::RoceV1 : GidType::RoceV2;
    wish.subnet = profile.gid_subnet;
    if (profile.gid_family) {
        wish.family = *profile.gid_family;
    } else if (profile.gid_subnet) {
        wish.family = profile.gid_subnet->address.family;
    }
    return wish;
}

std::optional<Library> parse_library(std::string_view text) {
    constexpr std::array<std::string_view, 7> kNames{"nccl",    "ucx",       "nvshmem", "pytorch",
                                                     "openmpi", "libfabric", "mpich"};
    const auto* const found = std::ranges::find(kNames, text);
    return found == kNames.end() ? std::nullopt
                                 : std::optional{static_cast<Library>(found - kNames.begin())};
}

RailSelector parse_rail_selector(std::string_view text) {
    RailSelector selector{};
    selector.text = text;
    std::string_view rest = text;
    selector.pci = parse_pci_address(rest);
    if (selector.pci) {
        return selector;
    }
    const std::size_t colon = rest.rfind(':');
    if (colon != std::string_view::npos) {
        selector.port = parse_number<unsigned>(rest.substr(colon + 1));
        if (selector.port) {
            rest = rest.substr(0, colon);
        }
    }
    selector.pci = parse_pci_address(rest);
    if (!selector.pci) {
        selector.name = rest;
    }
    return selector;
}

}  // namespace ferrule
