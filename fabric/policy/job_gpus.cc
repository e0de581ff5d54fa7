#include "fabric/policy/job_gpus.h"

#include "fabric/base/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

namespace ferrule {

namespace {

// On a node with divided GPUs Slurm counts the parts.
std::optional<std::size_t> position_of_part(unsigned index, const std::vector<Gpu>& gpus) {
    for (std::size_t position = 0; position < gpus.size(); ++position) {
        const unsigned parts = std::max(gpus.at(position).mig_instances, 1U);
        if (index < parts) {
            return position;
        }
        index -= parts;
    }
    return std::nullopt;
}

unsigned count_of_parts(const std::vector<Gpu>& gpus) {
    unsigned count = 0;
    for (const Gpu& gpu : gpus) {
        count += std::max(gpu.mig_instances, 1U);
    }
    return count;
}

std::optional<std::size_t> position_of(unsigned index, const std::vector<Gpu>& gpus) {
    if (std::ranges::any_of(gpus, [](const Gpu& gpu) { return gpu.mig_instances > 0; })) {
        return position_of_part(index, gpus);
    }
    const auto found = std::ranges::find(gpus, std::optional{index}, &Gpu::minor);
    if (found != gpus.end()) {
        return static_cast<std::size_t>(found - gpus.begin());
    }
    const bool minors_known =
        std::ranges::any_of(gpus, [](const Gpu& gpu) { return gpu.minor.has_value(); });
    return !minors_known && index < gpus.size() ? std::optional<std::size_t>{index} : std::nullopt;
}

// Appends what one piece names; false when it names nothing here.
bool append_piece(std::string_view piece, const std::vector<Gpu>& gpus,
                  std::vector<std::size_t>& positions) {
    constexpr std::string_view kMig = "MIG-";
    if (piece.starts_with(kMig)) {
        piece = piece.substr(kMig.size(), piece.find('/') - kMig.size());
    }
    const auto by_uuid = std::ranges::find(gpus, piece, &Gpu::uuid);
    if (!piece.empty() && by_uuid != gpus.end()) {
        positions.push_back(static_cast<std::size_t>(by_uuid - gpus.begin()));
        return true;
    }
    const std::size_t dash = piece.find('-');
    const auto first = parse_number<unsigned>(piece.substr(0, dash));
    const auto last =
        dash == std::string_view::npos ? first : parse_number<unsigned>(piece.substr(dash + 1));
    if (!first || !last || *last < *first || *last - *first >= count_of_parts(gpus)) {
        return false;
    }
    for (unsigned index = *first; index <= *last; ++index) {
        const auto position = position_of(index, gpus);
        if (!position) {
            return false;
        }
        positions.push_back(*position);
    }
    return true;
}

}  // namespace

JobGpus parse_job_gpus(std::string_view text, const std::vector<Gpu>& gpus) {
    JobGpus result{};
    for (const std::string_view piece : split(trimmed(text), ',')) {
        if (!append_piece(trimmed(piece), gpus, result.positions)) {
            return {{},
                    fmt::format("GPUs \"{}\": no such GPU among the {} of this node; all rails are "
                                "given",
                                printable(text, 60), gpus.size())};
        }
    }
    std::ranges::sort(result.positions);
    const auto repeated = std::ranges::unique(result.positions);
    result.positions.erase(repeated.begin(), repeated.end());
    return result;
}

}  // namespace ferrule
