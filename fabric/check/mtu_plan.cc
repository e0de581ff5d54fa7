#include "fabric/check/mtu_plan.h"

#include "fabric/check/check_words.h"
#include "fabric/check/scope.h"
#include "fabric/policy/routes.h"

#include <algorithm>

namespace ferrule {

namespace {

std::vector<IpAddress> gateways(const NodeSnapshot& snapshot, const Netdev& netdev) {
    std::vector<IpAddress> addresses;
    for (const Route& route : snapshot.routes) {
        if (route.netdev == netdev.name && route.gateway &&
            std::ranges::count(addresses, *route.gateway) == 0) {
            addresses.push_back(*route.gateway);
        }
    }
    return addresses;
}

bool is_own_subnet(const Netdev& netdev, const IpAddress& peer) {
    return std::ranges::any_of(netdev.addresses, [&](const NetAddress& own) {
        return own.address.family == peer.family &&
               prefix_of(own.address, own.prefix_length).contains(peer);
    });
}

bool leads_to(const NodeSnapshot& snapshot, const Netdev& netdev, const IpAddress& peer) {
    const Route* const route = find_route(snapshot.routes, peer);
    return is_own_subnet(netdev, peer) || (route != nullptr && route->netdev == netdev.name);
}

std::vector<IpAddress> peers_of(const NodeSnapshot& snapshot, const NodeProfile& profile,
                                const Netdev& netdev) {
    std::vector<IpAddress> peers;
    for (const std::string& text : profile.expected.mtu_peers) {
        if (text == "gateway") {
            std::ranges::copy(gateways(snapshot, netdev), std::back_inserter(peers));
            continue;
        }
        const auto peer = parse_ip(text);
        if (peer && leads_to(snapshot, netdev, *peer)) {
            peers.push_back(*peer);
        }
    }
    return peers;
}

}  // namespace

std::vector<MtuProbe> plan_mtu_probes(const NodeSnapshot& snapshot, const NodeProfile& profile) {
    constexpr std::size_t kMost = 64;
    std::vector<MtuProbe> probes;
    for (const ScopedPort& port : scope_of(snapshot, profile).ports) {
        const unsigned mtu = port.netdev == nullptr ? 0 : port.netdev->mtu.value_or(0);
        if (!is_roce(port) || !is_active(port) || mtu == 0) {
            continue;
        }
        for (const IpAddress& peer : peers_of(snapshot, profile, *port.netdev)) {
            if (probes.size() < kMost) {
                MtuProbe probe{};
                probe.netdev = port.netdev->name;
                probe.peer = peer;
                probe.size = mtu;
                probes.push_back(std::move(probe));
            }
        }
    }
    return probes;
}

}  // namespace ferrule
