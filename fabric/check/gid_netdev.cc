#include "fabric/check/checks.h"
#include "fabric/check/gid_words.h"
#include "fabric/policy/routes.h"

#include <fmt/format.h>

#include <algorithm>

namespace ferrule {

namespace {

// The interface itself, its bond, or something that stands on one of them.
bool stands_on(const NodeSnapshot& snapshot, const Netdev& netdev, const std::string& base,
               int depth = 0) {
    constexpr int kDeepest = 4;
    if (netdev.name == base || netdev.master == base) {
        return true;
    }
    return depth < kDeepest && std::ranges::any_of(
                                   netdev.lower,
                                   [&](const std::string& name) {
                                       const Netdev* const below = find_netdev(snapshot, name);
                                       return below != nullptr &&
                                              stands_on(snapshot, *below, base, depth + 1);
                                   });
}

}  // namespace

void check_gid_netdev(const CheckInput& input, Findings& findings) {
    for (const ScopedPort& port : input.scope.ports) {
        const GidEntry* const entry = needs_gid(port) ? usable_gid(input.profile, port) : nullptr;
        if (entry == nullptr || entry->netdev.empty() || port.netdev == nullptr) {
            continue;
        }
        const Netdev* const netdev = find_netdev(input.snapshot, entry->netdev);
        if (netdev == nullptr || stands_on(input.snapshot, *netdev, port.netdev->name)) {
            findings.pass(port.object, fmt::format("row {} is of {}", entry->index, entry->netdev));
            continue;
        }
        findings.fail({port.object,
                       fmt::format("row {} with {} is of {}", entry->index,
                                   to_text(entry->gid.address()), entry->netdev),
                       port.netdev->name, "a rail sends from its own interface",
                       "look at the addresses of both interfaces"});
    }
    if (findings.empty()) {
        findings.not_applicable("node", "no rail names the interface of a GID");
    }
}

}  // namespace ferrule
