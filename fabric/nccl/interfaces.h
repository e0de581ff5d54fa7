// Which IP interfaces NCCL listens on. Pure.
// Source: ncclFindInterfaces and findInterfaces in src/misc/socket.cc of NCCL 2.4 to 2.30.7.
#pragma once

#include "fabric/model/nccl_version.h"
#include "fabric/model/snapshot.h"
#include "fabric/model/variables.h"

#include <optional>
#include <string>
#include <vector>

namespace ferrule {

// NCCL keeps one address of an interface, the first.
struct NcclInterface {
    std::string name{};
    IpAddress address{};

    bool operator==(const NcclInterface&) const = default;
};

// In NCCL's order: the first one carries the handshake of InfiniBand (and the bootstrap, see
// below), all of them carry data where the transport is Socket. Empty where nothing matches, which
// ends the job. Without NCCL_SOCKET_IFNAME: names with "ib" in front; else the subnet of
// NCCL_COMM_ID; else all but docker*, lo* (and since 2.28.3 virbr*); else docker*; else lo*; else
// virbr*.
[[nodiscard]] std::vector<NcclInterface> nccl_interfaces(const NodeSnapshot& snapshot,
                                                         const Environment& environment,
                                                         const NcclVersion& version);

struct NcclBootstrap {
    std::optional<NcclInterface> interface{};
    // What NCCL ends the job with where there is none.
    std::string error{};
};

// Where the bootstrap listens: the first of the above; but with NCCL_COMM_ID, whatever the names
// say, the first interface in the subnet of that address (2.29.2 to 2.29.7 take the first outside
// of it).
[[nodiscard]] NcclBootstrap nccl_bootstrap(const NodeSnapshot& snapshot,
                                           const Environment& environment,
                                           const NcclVersion& version);

}  // namespace ferrule
