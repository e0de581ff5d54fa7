#include "healthcheck/lldpd.h"

#include "fabric/read/lldpd_json.h"

#include <cerrno>

namespace ferrule {

namespace {

constexpr std::size_t kMostBytes = 4U << 20U;
// Two minutes is what a switch's frame holds as a rule; the rest is for who writes the file.
constexpr std::int64_t kOldest = 600;

using Neighbours = std::map<std::string, LldpNeighbour>;

Result<Neighbours> neighbours_of(const std::string& path, Trust trust, std::int64_t now) {
    const TrustedFile file = TRY(read_trusted_file(path, trust, kMostBytes));
    if (now - file.changed > kOldest) {
        return fail(std::errc::timed_out, path +
                                              ": older than ten minutes; see that what calls "
                                              "lldpcli still runs");
    }
    return parse_lldpd_json(file.content);
}

}  // namespace

Result<void> add_lldpd_neighbours(const std::string& path, Trust trust, std::int64_t now,
                                  NodeSnapshot& snapshot) {
    auto neighbours = neighbours_of(path, trust, now);
    if (!neighbours) {
        snapshot.problems.push_back(
            {"lldp", neighbours.error().code.value(), neighbours.error().text});
        return tl::unexpected{neighbours.error()};
    }
    for (Netdev& netdev : snapshot.netdevs) {
        const auto found = neighbours->find(netdev.name);
        if (found != neighbours->end() && !netdev.lldp) {
            netdev.lldp = std::move(found->second);
        }
    }
    return {};
}

}  // namespace ferrule
