#include "fabric/policy/dialects.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace ferrule {

namespace {

// A longer prefix holds no other node, a shorter one is no subnet.
constexpr unsigned kLongestSubnet = 30;
constexpr unsigned kShortestSubnet = 8;

// mpirun hands the variables of its own node to all others, so that only what is true on all of
// them may be said: a subnet, not a name.
std::optional<IpPrefix> shared_subnet(const SocketChoice& socket) {
    const auto v4 = std::ranges::find_if(socket.addresses, [](const NetAddress& it) {
        return it.address.family == IpFamily::V4 && !it.address.is_link_local();
    });
    if (v4 == socket.addresses.end() || v4->prefix_length > kLongestSubnet ||
        v4->prefix_length < kShortestSubnet) {
        return std::nullopt;
    }
    const IpPrefix subnet = prefix_of(v4->address, v4->prefix_length);
    const bool holds_all = std::ranges::all_of(
        socket.peers, [&](const IpAddress& peer) { return subnet.contains(peer); });
    return holds_all ? std::optional{subnet} : std::nullopt;
}

}  // namespace

std::vector<EnvChange> openmpi_variables(const Intent& intent) {
    constexpr std::array<const char*, 3> kNames{
        "OMPI_MCA_btl_tcp_if_include", "OMPI_MCA_oob_tcp_if_include", "PRTE_MCA_prte_if_include"};
    const std::string group = "Open MPI interfaces";
    const auto subnet = shared_subnet(intent.socket);
    std::vector<EnvChange> changes;
    for (const char* const name : kNames) {
        EnvChange change{name, {}, {}, group, {}};
        if (subnet) {
            change.value = to_text(*subnet);
            change.reason = fmt::format("subnet of {}: the same on all nodes, as mpirun needs it",
                                        intent.socket.name);
        } else {
            change.reason = intent.socket.name.empty()
                                ? intent.socket.reason
                                : "no IPv4 subnet of the interface holds the job's other nodes";
        }
        changes.push_back(std::move(change));
    }
    // Open MPI refuses both at once.
    changes.push_back(
        {"OMPI_MCA_btl_tcp_if_exclude", {}, "the interfaces to use are named instead", group, {}});
    return changes;
}

}  // namespace ferrule
