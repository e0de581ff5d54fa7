#include "fabric/read/node.h"

#include "fabric/read/gpus.h"
#include "fabric/read/host_files.h"
#include "fabric/read/host_state.h"
#include "fabric/read/netdevs.h"
#include "fabric/read/rdma.h"
#include "fabric/read/rdma_functions.h"
#include "fabric/read/ways.h"

#include <sys/stat.h>

namespace ferrule {

ReadRequest plan_request(const NodeProfile& profile, FabricMode mode, bool gpus_matter) {
    ReadRequest request{};
    request.depth = Depth::Plan;
    request.gid = base_gid_wish(profile);
    request.whole_gid_tables = profile.nccl && ends_over_unreadable_rows(*profile.nccl);
    request.rdma = mode == FabricMode::Auto;
    request.pkeys = profile.pkey.has_value();
    // Without rails in the profile the place of the GPUs decides which ports are rails.
    request.gpus = request.rdma && (profile.rails.empty() || gpus_matter);
    request.pci_links = gpus_matter;
    return request;
}

std::string product_of(const std::string& root_path) {
    const auto root = Dir::open(root_path);
    return root ? root->attribute("sys/class/dmi/id/product_name").value_or(std::string{})
                : std::string{};
}

Source source_of(const std::string& root) {
    struct stat given{};
    struct stat live{};
    const bool same = ::stat(root.c_str(), &given) == 0 && ::stat("/", &live) == 0 &&
                      given.st_dev == live.st_dev && given.st_ino == live.st_ino;
    return same ? Source::Live : Source::Captured;
}

Result<NodeSnapshot> read_node(const std::string& root_path, Source source,
                               const ReadRequest& request) {
    const Dir root = TRY(Dir::open(root_path));
    if (!root.exists("sys/class")) {
        return fail(std::errc::invalid_argument,
                    root_path + ": no tree of a node: sys/class is not in it");
    }
    return read_node(root, source, request);
}

NodeSnapshot read_node(const Dir& root, Source source, const ReadRequest& request) {
    NodeSnapshot snapshot{};
    snapshot.hostname = root.attribute("proc/sys/kernel/hostname").value_or(std::string{});
    snapshot.kernel = root.attribute("proc/sys/kernel/osrelease").value_or(std::string{});
    snapshot.rdma_class = root.exists("sys/class/infiniband");
    if (!snapshot.rdma_class && request.depth != Depth::Plan) {
        snapshot.infiniband_functions = count_infiniband_functions(root);
    }
    if (request.rdma) {
        snapshot.hcas = read_hcas(root, request, snapshot.problems);
    }
    snapshot.netdevs = read_netdevs(root, request.depth, snapshot.problems);
    if (request.gpus) {
        snapshot.gpus = read_gpus(root, snapshot.problems);
    }
    read_host_files(root, snapshot);
    if (request.depth == Depth::Health) {
        snapshot.host = read_host_state(root, request.sysctls, snapshot.problems);
        snapshot.rdma_functions = read_rdma_functions(root, snapshot.problems);
    }
    read_ways(root, source, request, snapshot);
    return snapshot;
}

}  // namespace ferrule
