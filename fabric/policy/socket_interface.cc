#include "fabric/policy/socket_interface.h"

#include "fabric/base/text.h"
#include "fabric/policy/routes.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

namespace ferrule {

namespace {

struct Pick {
    std::string name{};
    std::string reason{};
};

bool has_address(const Netdev& netdev) {
    return std::ranges::any_of(netdev.addresses, [](const NetAddress& it) {
        return !it.address.is_link_local() && !it.address.is_loopback();
    });
}

bool is_down(const Netdev& netdev) {
    return netdev.operstate == "down" || netdev.operstate == "lowerlayerdown";
}

Pick by_profile_name(const NodeSnapshot&, const NodeProfile& profile) {
    if (!profile.socket_interface) {
        return {};
    }
    return {*profile.socket_interface, fmt::format("socket_interface of profile {}", profile.name)};
}

Pick by_profile_subnet(const NodeSnapshot& snapshot, const NodeProfile& profile) {
    if (!profile.socket_subnet) {
        return {};
    }
    for (const Netdev& netdev : snapshot.netdevs) {
        const bool inside = std::ranges::any_of(netdev.addresses, [&](const NetAddress& it) {
            return profile.socket_subnet->contains(it.address);
        });
        if (inside && !is_down(netdev)) {
            return {netdev.name, fmt::format("has an address in {}, socket_subnet of profile {}",
                                             to_text(*profile.socket_subnet), profile.name)};
        }
    }
    return {};
}

std::string netdev_towards(const NodeSnapshot& snapshot, const Peer& peer) {
    if (peer.route) {
        return peer.route->netdev;
    }
    const Route* const route = peer.address ? find_route(snapshot.routes, *peer.address) : nullptr;
    return route != nullptr ? route->netdev : std::string{};
}

Pick by_route_to(const NodeSnapshot& snapshot, PeerRole role) {
    struct Votes {
        unsigned count{0};
        std::string first{};
    };

    std::map<std::string, Votes> votes;
    for (const Peer& peer : snapshot.peers) {
        const std::string name = netdev_towards(snapshot, peer);
        const Netdev* const netdev = find_netdev(snapshot, name);
        if (peer.role != role || netdev == nullptr || netdev->kind == NetdevKind::Loopback) {
            continue;
        }
        Votes& vote = votes[name];
        if (vote.count++ == 0) {
            vote.first = fmt::format("{} ({})", printable(peer.name), to_text(*peer.address));
        }
    }
    const auto best =
        std::ranges::max_element(votes, {}, [](const auto& pair) { return pair.second.count; });
    if (best == votes.end()) {
        return {};
    }
    std::string reason = "route to " + best->second.first;
    if (best->second.count > 1) {
        reason += fmt::format(" and {} more", best->second.count - 1);
    }
    return {best->first, reason};
}

Pick by_route_to_members(const NodeSnapshot& snapshot, const NodeProfile&) {
    return by_route_to(snapshot, PeerRole::Member);
}

Pick by_route_to_launcher(const NodeSnapshot& snapshot, const NodeProfile&) {
    return by_route_to(snapshot, PeerRole::Launcher);
}

Pick by_default_route(const NodeSnapshot& snapshot, const NodeProfile&) {
    return {default_route_netdev(snapshot),
            "default route; no other node of the job is known by address"};
}

Pick by_only_address(const NodeSnapshot& snapshot, const NodeProfile&) {
    const Netdev* only = nullptr;
    for (const Netdev& netdev : snapshot.netdevs) {
        if (netdev.kind != NetdevKind::Loopback && has_address(netdev)) {
            if (only != nullptr) {
                return {};
            }
            only = &netdev;
        }
    }
    return only == nullptr ? Pick{} : Pick{only->name, "the only interface with an address"};
}

using Rule = Pick (*)(const NodeSnapshot&, const NodeProfile&);
constexpr std::array<Rule, 6> kRules{by_profile_name,      by_profile_subnet, by_route_to_members,
                                     by_route_to_launcher, by_default_route,  by_only_address};

// Libraries end the process over an interface that is down, and over one without an address (routes
// over unnumbered links).
std::string_view why_unusable(const Netdev& netdev) {
    if (is_down(netdev)) {
        return "it is down";
    }
    return has_address(netdev) ? "" : "it has no address to listen on";
}

std::string why_left_out(const Netdev& netdev) {
    if (netdev.kind == NetdevKind::Loopback) {
        return "loopback";
    }
    if (is_down(netdev)) {
        return "down";
    }
    if (!has_address(netdev)) {
        if (!netdev.master.empty()) {
            return fmt::format("member of {}", netdev.master);
        }
        return netdev.addresses.empty() ? "no address of its own" : "link-local addresses only";
    }
    return "not the way to the job's other nodes";
}

// The address packets to the job's other nodes leave from, as far as the kernel said it.
std::optional<IpAddress> source_towards_members(const NodeSnapshot& snapshot,
                                                const Netdev& netdev) {
    for (const Peer& peer : snapshot.peers) {
        if (peer.role != PeerRole::Member || !peer.address) {
            continue;
        }
        const Route* const way =
            peer.route ? &*peer.route : find_route(snapshot.routes, *peer.address);
        if (way != nullptr && way->netdev == netdev.name && way->source) {
            return way->source;
        }
    }
    return std::nullopt;
}

// NCCL keeps one address of an interface, and of lo that is 127.0.0.1.
void append_note_on_loopback(const NodeSnapshot& snapshot, std::vector<std::string>& notes) {
    for (const Netdev& netdev : snapshot.netdevs) {
        if (netdev.kind != NetdevKind::Loopback) {
            continue;
        }
        for (const NetAddress& it : netdev.addresses) {
            if (!it.address.is_loopback() && !it.address.is_link_local()) {
                notes.push_back(fmt::format(
                    "{}: routable, but on {} only, where NCCL and Gloo cannot listen on "
                    "it; put it on a dummy interface",
                    to_text(it.address), netdev.name));
            }
        }
    }
}

std::optional<IpPrefix> shared_subnet(const Netdev& netdev, const NodeSnapshot& snapshot,
                                      const NodeProfile& profile) {
    if (profile.socket_subnet) {
        return profile.socket_subnet;
    }
    const auto v4 = std::ranges::find_if(netdev.addresses, [](const NetAddress& it) {
        return it.address.family == IpFamily::V4 && !it.address.is_link_local();
    });
    if (v4 == netdev.addresses.end() || snapshot.peers.empty() || !snapshot.all_peers) {
        return std::nullopt;
    }
    const IpPrefix subnet = prefix_of(v4->address, v4->prefix_length);
    const bool holds_all = std::ranges::all_of(snapshot.peers, [&](const Peer& peer) {
        return peer.address && subnet.contains(*peer.address);
    });
    return holds_all ? std::optional{subnet} : std::nullopt;
}

std::vector<std::string> notes_on(const Netdev& netdev, const NodeSnapshot& snapshot,
                                  const NodeProfile& profile) {
    std::vector<std::string> notes;
    if (profile.socket_interface && *profile.socket_interface != netdev.name) {
        notes.push_back(
            fmt::format("{}: socket_interface of profile {} cannot be used on this node",
                        *profile.socket_interface, profile.name));
    }
    if (netdev.addresses.front().address.is_link_local()) {
        notes.push_back(
            fmt::format("{}: its first address {} is link-local, and NCCL listens on the first one",
                        netdev.name, to_text(netdev.addresses.front().address)));
    }
    const bool in_subnet = std::ranges::any_of(netdev.addresses, [&](const NetAddress& it) {
        return profile.socket_subnet && profile.socket_subnet->contains(it.address);
    });
    if (profile.socket_subnet && !in_subnet) {
        notes.push_back(fmt::format(
            "{}: socket_subnet of profile {}, and no interface of this node that is up is in it",
            to_text(*profile.socket_subnet), profile.name));
    }
    const IpAddress& first = netdev.addresses.front().address;
    const auto source = source_towards_members(snapshot, netdev);
    if (source && source->family == first.family && *source != first) {
        notes.push_back(fmt::format(
            "{}: NCCL listens on its first address {}, but packets to the job's other nodes leave "
            "from {}",
            netdev.name, to_text(first), to_text(*source)));
    }
    return notes;
}

}  // namespace

SocketChoice choose_socket_interface(const NodeSnapshot& snapshot, const NodeProfile& profile) {
    SocketChoice choice{};
    for (const Rule rule : kRules) {
        const Pick pick = rule(snapshot, profile);
        const Netdev* const netdev = find_netdev(snapshot, pick.name);
        if (netdev == nullptr) {
            continue;
        }
        const std::string_view wrong = why_unusable(*netdev);
        if (!wrong.empty()) {
            choice.notes.push_back(fmt::format("{}: {}, but {}", pick.name, pick.reason, wrong));
            continue;
        }
        choice.name = pick.name;
        choice.shared_subnet = shared_subnet(*netdev, snapshot, profile);
        choice.reason = pick.reason;
        break;
    }
    if (choice.name.empty()) {
        choice.reason = "no interface leads to other nodes; set socket_interface in the profile";
    }
    if (choice.name.empty()) {
        append_note_on_loopback(snapshot, choice.notes);
    }
    for (const Netdev& netdev : snapshot.netdevs) {
        const bool used = netdev.name == choice.name;
        choice.verdicts.push_back({netdev.name, used, used ? choice.reason : why_left_out(netdev)});
        if (used) {
            for (std::string& note : notes_on(netdev, snapshot, profile)) {
                choice.notes.push_back(std::move(note));
            }
        }
    }
    return choice;
}

}  // namespace ferrule
