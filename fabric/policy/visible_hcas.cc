#include "fabric/policy/visible_hcas.h"

#include "fabric/base/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <tuple>
#include <vector>

namespace ferrule {

namespace {

std::vector<const Hca*> mellanox_in_pci_order(const NodeSnapshot& snapshot) {
    std::vector<const Hca*> hcas;
    for (const Hca& hca : snapshot.hcas) {
        if (hca.driver == "mlx4_core" || hca.driver == "mlx5_core") {
            hcas.push_back(&hca);
        }
    }
    std::ranges::sort(hcas, {},
                      [](const Hca* hca) { return std::tuple{hca->pci.address, hca->name}; });
    return hcas;
}

// nullopt where a piece is no position of this node.
std::optional<std::vector<const Hca*>> named(std::string_view value,
                                             const std::vector<const Hca*>& hcas) {
    std::vector<const Hca*> found;
    for (const std::string_view piece : split(value, ',')) {
        const auto position = parse_number<std::size_t>(trimmed(piece));
        if (!position || *position >= hcas.size()) {
            return std::nullopt;
        }
        found.push_back(hcas.at(*position));
    }
    return found;
}

}  // namespace

VisibleRails visible_rails(RailChoice choice, const NodeSnapshot& snapshot,
                           std::string_view value) {
    if (value.empty() || value == "all" || value == "void" || value == "none") {
        return {std::move(choice), {}};
    }
    const auto visible = named(value, mellanox_in_pci_order(snapshot));
    const auto seen = [&](const Rail& rail) {
        return visible && std::ranges::count(*visible, rail.hca) > 0;
    };
    if (!visible || std::ranges::none_of(choice.rails, seen)) {
        return {
            std::move(choice),
            fmt::format("{}=\"{}\": {}; it is not followed", kVisibleHcasName, printable(value, 60),
                        visible ? "hides every rail"
                                : "no list of positions among the node's Mellanox devices")};
    }
    keep_rails(choice, seen,
               {"visible in the job's containers",
                fmt::format("hidden from the job's containers by {}", kVisibleHcasName)});
    return {std::move(choice), {}};
}

}  // namespace ferrule
