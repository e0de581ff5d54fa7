// Reads a node into one snapshot: the live machine or a captured tree.
#pragma once

#include "fabric/base/result.h"
#include "fabric/model/plan.h"
#include "fabric/model/profile.h"
#include "fabric/model/snapshot.h"
#include "fabric/read/dir.h"

#include <set>
#include <string>
#include <vector>

namespace ferrule {

enum class Depth {
    Plan,    // what the environment of a job depends on, and no file more
    Full,    // all that a plan could depend on
    Health,  // everything, counters and drivers' settings included
};

enum class Source {
    Live,      // the root is this machine's "/": the kernel is asked for addresses and routes
    Captured,  // the root is a tree: they come from files below its ferrule/
};

struct ReadRequest {
    Depth depth{Depth::Full};
    // Plan only: reading a GID table stops at the first row of the port's own netdev that fits.
    GidWish gid{};
    // Not even then.
    bool whole_gid_tables{false};
    bool rdma{true};
    // All of the P_Key tables; else the first rows of InfiniBand ports, the ones taken unasked.
    bool pkeys{true};
    bool gpus{true};
    // The links of HCAs, which only a choice among GPUs asks for.
    bool pci_links{true};
    // Nodes to find the way to. Those without an address are looked up in etc/hosts of the tree;
    // no name server is ever asked.
    std::vector<Peer> peers{};
    bool all_peers{true};
    // Health only. Counters, as paths below the root, that a device has refused before (see
    // counters.h); they are not asked for.
    std::set<std::string> refused{};
    // Health only. Settings of the kernel to read besides those that are always read.
    std::vector<std::string> sysctls{};
};

// What a plan for this profile and mode needs to know. `gpus_matter`: the job owns some of the
// GPUs.
[[nodiscard]] ReadRequest plan_request(const NodeProfile& profile, FabricMode mode,
                                       bool gpus_matter);

// The machine's product name, for profile_for; empty where it has none.
[[nodiscard]] std::string product_of(const std::string& root);

// Live for "/", in whatever spelling.
[[nodiscard]] Source source_of(const std::string& root);

// Fails only when the root cannot be opened or holds no sysfs. Everything else that could not be
// read is in `problems`. Takes a few milliseconds, starts no process, sleeps never.
[[nodiscard]] Result<NodeSnapshot> read_node(const std::string& root, Source source,
                                             const ReadRequest& request);
// The same below a directory that is open already.
[[nodiscard]] NodeSnapshot read_node(const Dir& root, Source source, const ReadRequest& request);

}  // namespace ferrule
