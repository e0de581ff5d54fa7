// All that was seen of one node at one moment. Made by fabric/read, never changed afterwards.
#pragma once

#include "fabric/model/gpu.h"
#include "fabric/model/hca.h"
#include "fabric/model/netdev.h"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace ferrule {

// A fact the node should offer and did not give. Never a verdict: unknown is not broken.
struct ReadProblem {
    // Path below the root of the tree, or the name of a kernel interface.
    std::string where{};
    int error_number{0};
    std::string what{};

    bool operator==(const ReadProblem&) const = default;
};

// Why a node is asked for: it takes part in the job, or the step was only started from there.
enum class PeerRole { Member, Launcher };

// Another node and how this node reaches it, as far as it could be told.
struct Peer {
    std::string name{};
    std::optional<IpAddress> address{};
    PeerRole role{PeerRole::Member};
    // The kernel's own answer, where a live kernel was asked.
    std::optional<Route> route{};

    bool operator==(const Peer&) const = default;
};

struct NodeSnapshot {
    std::string hostname{};
    std::string kernel{};
    // ib_core is loaded: /sys/class/infiniband exists.
    bool rdma_class{false};
    // PCI functions of class 0x0207; counted only where rdma_class is false and everything
    // is read.
    unsigned infiniband_functions{0};
    std::vector<Hca> hcas{};
    std::vector<Netdev> netdevs{};
    std::vector<Route> routes{};
    std::vector<Gpu> gpus{};
    std::vector<Peer> peers{};
    // These are all of the job's other nodes.
    bool all_peers{true};
    // Lines of /etc/nccl.conf, in order: what NCCL takes where the environment says nothing.
    std::vector<std::pair<std::string, std::string>> nccl_conf{};
    // Bytes that a process may lock in memory, as far as the reading process itself may; absent
    // where there is no limit, or none was read.
    std::optional<std::uint64_t> memlock_limit{};
    std::vector<ReadProblem> problems{};

    bool operator==(const NodeSnapshot&) const = default;
};

}  // namespace ferrule
