#include "fabric/read/ways.h"

#include "fabric/base/text.h"
#include "fabric/read/ip_text.h"
#include "fabric/read/netlink_file.h"
#include "fabric/read/route_socket.h"
#include "fabric/read/rtnetlink.h"

#include <algorithm>
#include <cerrno>
#include <chrono>

#include <linux/rtnetlink.h>

namespace ferrule {

namespace {

constexpr std::size_t kTextLimit = 4U << 20U;
constexpr std::chrono::milliseconds kKernelPatience{500};

Netdev* find_netdev(NodeSnapshot& snapshot, std::string_view name) {
    const auto found = std::ranges::find(snapshot.netdevs, name, &Netdev::name);
    return found == snapshot.netdevs.end() ? nullptr : &*found;
}

std::string name_of_index(const NodeSnapshot& snapshot, int ifindex) {
    const auto found = std::ranges::find(snapshot.netdevs, ifindex, &Netdev::ifindex);
    return found == snapshot.netdevs.end() ? std::string{} : found->name;
}

void record(NodeSnapshot& snapshot, std::string where, const Error& error) {
    snapshot.problems.push_back({std::move(where), error.code.value(), error.code.message()});
}

void take_addresses(const Result<std::vector<IndexedAddress>>& addresses, const char* where,
                    NodeSnapshot& snapshot) {
    if (!addresses) {
        record(snapshot, where, addresses.error());
        return;
    }
    for (const IndexedAddress& found : *addresses) {
        if (Netdev* netdev = find_netdev(snapshot, name_of_index(snapshot, found.ifindex))) {
            netdev->addresses.push_back(found.address);
        }
    }
}

void take_routes(Result<std::vector<IndexedRoute>> routes, const char* where,
                 NodeSnapshot& snapshot) {
    if (!routes) {
        record(snapshot, where, routes.error());
        return;
    }
    for (IndexedRoute& found : *routes) {
        found.route.netdev = name_of_index(snapshot, found.ifindex);
        snapshot.routes.push_back(std::move(found.route));
    }
}

// The kernel's own replies, in a tree that was captured on a live node.
void read_replies(const Dir& root, NodeSnapshot& snapshot) {
    take_addresses(root.text(kAddressReplies, kTextLimit)
                       .and_then(parse_hex_lines)
                       .and_then([](const auto& bytes) { return decode_addresses(bytes); }),
                   kAddressReplies, snapshot);
    take_routes(
        root.text(kRouteReplies, kTextLimit)
            .and_then(parse_hex_lines)
            .and_then([](const auto& bytes) { return decode_routes(bytes, RouteTable::Main); }),
        kRouteReplies, snapshot);
}

void read_captured(const Dir& root, NodeSnapshot& snapshot) {
    if (root.exists(kAddressReplies)) {
        read_replies(root, snapshot);
        return;
    }
    if (const auto text = root.text("ferrule/ip-address", kTextLimit)) {
        for (const NamedAddress& found : parse_ip_address(*text)) {
            if (Netdev* netdev = find_netdev(snapshot, found.netdev)) {
                netdev->addresses.push_back(found.address);
            }
        }
    } else {
        record(snapshot, "ferrule/ip-address", text.error());
    }
    if (const auto text = root.text("ferrule/ip-route", kTextLimit)) {
        snapshot.routes = parse_ip_route(*text);
    } else {
        record(snapshot, "ferrule/ip-route", text.error());
    }
}

void read_live(const RouteSocket& socket, NodeSnapshot& snapshot) {
    take_addresses(socket.dump(RTM_GETADDR).and_then([](const auto& bytes) {
        return decode_addresses(bytes);
    }),
                   "rtnetlink addresses", snapshot);
    take_routes(socket.dump(RTM_GETROUTE).and_then([](const auto& bytes) {
        return decode_routes(bytes, RouteTable::Main);
    }),
                "rtnetlink routes", snapshot);
}

// Nothing where the kernel has no route, which is an answer and no problem.
std::optional<Route> ask_way(const RouteSocket& socket, const NodeSnapshot& snapshot,
                             const IpAddress& destination) {
    const auto routes = socket.route_to(destination).and_then([](const auto& bytes) {
        return decode_routes(bytes, RouteTable::Any);
    });
    if (!routes || routes->empty()) {
        return std::nullopt;
    }
    Route route = routes->front().route;
    route.netdev = name_of_index(snapshot, routes->front().ifindex);
    return route;
}

// Gives each nameless-address peer the first address that the hosts file has for its name.
void resolve_peers(const Dir& root, std::vector<Peer>& peers) {
    const auto open = [](const Peer& peer) { return !peer.address; };
    if (std::ranges::none_of(peers, open)) {
        return;
    }
    const auto hosts = root.text("etc/hosts", kTextLimit);
    if (!hosts) {
        return;
    }
    for (const std::string_view line : split(*hosts, '\n')) {
        const auto parts = words(line.substr(0, line.find('#')));
        const auto address = parts.empty() ? std::nullopt : parse_ip(parts.front());
        if (!address || address->is_loopback()) {
            continue;
        }
        for (Peer& peer : peers) {
            if (open(peer) && std::find(parts.begin() + 1, parts.end(), peer.name) != parts.end()) {
                peer.address = address;
            }
        }
    }
}

}  // namespace

void read_ways(const Dir& root, Source source, const ReadRequest& request, NodeSnapshot& snapshot) {
    snapshot.peers = request.peers;
    snapshot.all_peers = request.all_peers;
    resolve_peers(root, snapshot.peers);
    if (source == Source::Captured) {
        read_captured(root, snapshot);
        return;
    }
    const RouteSocket socket{Deadline{kKernelPatience}};
    read_live(socket, snapshot);
    for (Peer& peer : snapshot.peers) {
        if (peer.address) {
            peer.route = ask_way(socket, snapshot, *peer.address);
        }
    }
}

}  // namespace ferrule
