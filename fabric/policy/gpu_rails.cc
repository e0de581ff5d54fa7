#include "fabric/policy/gpu_rails.h"

#include "fabric/nccl/name_list.h"

#include <algorithm>
#include <limits>
#include <map>
#include <set>
#include <string>

namespace ferrule {

namespace {

// What NCCL reckons with between the sockets of a server, in tenths of Gb/s: 16 GB/s.
constexpr unsigned kBetweenSockets = 1280;

// A rate that is not known is taken for the fastest one.
unsigned bandwidth(const Rail& rail, PciDistance far, unsigned fastest) {
    unsigned least = known_rate(rail).value_or(fastest);
    if (rail.hca->max_link) {
        least = std::min(least, rail.hca->max_link->tenth_gbps());
    }
    return far == PciDistance::System ? std::min(least, kBetweenSockets) : least;
}

unsigned fastest_of(const std::vector<Rail>& rails) {
    unsigned fastest = 0;
    for (const Rail& rail : rails) {
        fastest = std::max(fastest, known_rate(rail).value_or(0));
    }
    return fastest > 0 ? fastest : std::numeric_limits<unsigned>::max();
}

// Positions in `rails` of those that are best for one GPU.
std::vector<std::size_t> best_rails(const std::vector<Rail>& rails, const Gpu& gpu) {
    struct Way {
        unsigned bandwidth{0};
        PciDistance distance{PciDistance::System};

        bool operator==(const Way&) const = default;
    };

    const unsigned fastest = fastest_of(rails);
    const auto way = [&](const Rail& rail) {
        const PciDistance far = distance(gpu.pci, rail.hca->pci);
        return Way{bandwidth(rail, far, fastest), far};
    };
    const auto worse = [](const Way& left, const Way& right) {
        return left.bandwidth != right.bandwidth ? left.bandwidth < right.bandwidth
                                                 : left.distance > right.distance;
    };
    const Way best = way(*std::ranges::max_element(rails, worse, way));
    std::vector<std::size_t> found;
    for (std::size_t i = 0; i < rails.size(); ++i) {
        if (way(rails.at(i)) == best) {
            found.push_back(i);
        }
    }
    return found;
}

// The part of the rails that falls to one of so many GPUs.
std::vector<std::size_t> share(const std::vector<std::size_t>& rails, std::size_t gpu,
                               std::size_t gpus) {
    const std::size_t begin = gpu * rails.size() / gpus;
    const std::size_t end = std::max((gpu + 1) * rails.size() / gpus, begin + 1);
    return {rails.begin() + static_cast<std::ptrdiff_t>(begin),
            rails.begin() + static_cast<std::ptrdiff_t>(end)};
}

std::set<const Port*> ports_of_job(const std::vector<Rail>& rails, const NodeSnapshot& snapshot,
                                   const std::vector<std::size_t>& gpus) {
    std::vector<std::vector<std::size_t>> best;
    best.reserve(snapshot.gpus.size());
    for (const Gpu& gpu : snapshot.gpus) {
        best.push_back(best_rails(rails, gpu));
    }
    std::set<const Port*> ports;
    for (const std::size_t gpu : gpus) {
        const auto& own = best.at(gpu);
        const auto before =
            std::count(best.begin(), best.begin() + static_cast<std::ptrdiff_t>(gpu), own);
        const auto sharers = std::ranges::count(best, own);
        for (const std::size_t rail :
             share(own, static_cast<std::size_t>(before), static_cast<std::size_t>(sharers))) {
            ports.insert(rails.at(rail).port);
        }
    }
    return ports;
}

}  // namespace

RailChoice rails_of_gpus(RailChoice choice, const NodeSnapshot& snapshot,
                         const std::vector<std::size_t>& gpus) {
    if (gpus.empty() || gpus.size() >= snapshot.gpus.size() || choice.rails.empty()) {
        return choice;
    }
    const std::set<const Port*> ports = ports_of_job(choice.rails, snapshot, gpus);
    keep_rails(choice, [&](const Rail& rail) { return ports.contains(rail.port); },
               {"a GPU of the job takes it", "falls to no GPU of the job"});
    return choice;
}

RailChoice rails_within_limit(RailChoice choice, const std::optional<NcclVersion>& oldest_nccl) {
    const std::size_t limit =
        oldest_nccl ? name_limit(NamesOf::Hcas, *oldest_nccl) : choice.rails.size();
    if (choice.rails.size() <= limit || choice.kind == FabricKind::Efa) {
        return choice;
    }
    std::map<const Hca*, std::size_t> seen;
    for (const Rail& rail : choice.rails) {
        ++seen[rail.hca];
    }
    const std::size_t share = std::max<std::size_t>(limit / seen.size(), 1);
    seen.clear();
    std::set<const Port*> kept;
    for (const Rail& rail : choice.rails) {
        if (seen[rail.hca]++ < share && kept.size() < limit) {
            kept.insert(rail.port);
        }
    }
    keep_rails(choice, [&](const Rail& rail) { return kept.contains(rail.port); },
               {"within what so old an NCCL reads", "NCCL " + to_text(*oldest_nccl) + " reads " +
                                                        std::to_string(limit) +
                                                        " entries, and each HCA has its share"});
    return choice;
}

}  // namespace ferrule
