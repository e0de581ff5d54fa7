#include "fabric/model/pci_link.h"

#include "fabric/base/text.h"

namespace ferrule {

unsigned PciLink::tenth_gbps() const {
    constexpr unsigned kLastWith8Of10 = 50;
    const unsigned raw = tenth_gts * lanes;
    return tenth_gts <= kLastWith8Of10 ? raw * 8 / 10 : raw * 128 / 130;
}

std::optional<PciLink> parse_pci_link(std::string_view speed, std::string_view lanes) {
    constexpr unsigned kMostLanes = 32;
    constexpr unsigned kFastest = 10000;
    const std::string_view number = speed.substr(0, speed.find(' '));
    const std::size_t dot = number.find('.');
    const auto whole = parse_number<unsigned>(number.substr(0, dot));
    const auto tenth = dot == std::string_view::npos
                           ? std::optional{0U}
                           : parse_number<unsigned>(number.substr(dot + 1));
    const auto width = parse_number<unsigned>(lanes);
    if (!whole || !tenth || *tenth > 9 || *whole > kFastest || !width || *width == 0 ||
        *width > kMostLanes) {
        return std::nullopt;
    }
    return PciLink{(*whole * 10) + *tenth, *width};
}

}  // namespace ferrule
