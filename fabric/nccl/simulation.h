// What NCCL would do on a node under an environment: a simulation of its own rules, version by
// version. Nothing is loaded and nothing is asked. Pure.
//
// Left out, because no snapshot tells it: Data Direct variants of devices (2.27.3 and later), fused
// virtual NICs, and network plugins, which have rules of their own.
// Source: ncclIbInitDevices in src/transport/net_ib of NCCL 2.4 to 2.30.7.
#pragma once

#include "fabric/model/nccl_version.h"
#include "fabric/model/snapshot.h"
#include "fabric/model/variables.h"
#include "fabric/nccl/interfaces.h"

#include <optional>
#include <string>
#include <vector>

namespace ferrule {

struct NcclPort {
    std::string hca{};
    unsigned port{1};
    LinkLayer link_layer{LinkLayer::Unspecified};
    // RoCE only: the row it sends from, and what is there; no GID in an empty row.
    std::optional<unsigned> gid_index{};
    std::optional<GidEntry> gid{};

    bool operator==(const NcclPort&) const = default;
};

struct NcclOutcome {
    std::optional<NcclInterface> bootstrap{};
    // Of the handshake and of data over sockets.
    std::vector<NcclInterface> interfaces{};
    // In NCCL's order since 2.29.7, which is PCI order; before, in the order of libibverbs, which
    // is not known here. Empty: data goes over sockets.
    std::vector<NcclPort> ports{};
    // Why the job would end at once; empty where it would not.
    std::string error{};
    // What NCCL warns of, or should.
    std::vector<std::string> warnings{};

    bool operator==(const NcclOutcome&) const = default;
};

// Variables of the node's nccl.conf count as NCCL counts them: behind the environment's.
[[nodiscard]] NcclOutcome simulate_nccl(const NodeSnapshot& snapshot, Environment environment,
                                        const NcclVersion& version);

}  // namespace ferrule
