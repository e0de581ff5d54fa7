#include "fabric/read/node.h"

#include "fabric/read/gpus.h"
#include "fabric/read/netdevs.h"
#include "fabric/read/rdma.h"
#include "fabric/read/ways.h"

namespace ferrule {

Result<NodeSnapshot> read_node(const std::string& root_path, Source source,
                               const ReadRequest& request) {
    const Dir root = TRY(Dir::open(root_path));
    NodeSnapshot snapshot{};
    snapshot.hostname = root.attribute("proc/sys/kernel/hostname").value_or(std::string{});
    snapshot.kernel = root.attribute("proc/sys/kernel/osrelease").value_or(std::string{});
    snapshot.rdma_class = root.exists("sys/class/infiniband");
    if (request.rdma) {
        snapshot.hcas = read_hcas(root, request, snapshot.problems);
    }
    snapshot.netdevs = read_netdevs(root, request.depth, snapshot.problems);
    if (request.gpus) {
        snapshot.gpus = read_gpus(root, snapshot.problems);
    }
    read_ways(root, source, request, snapshot);
    return snapshot;
}

}  // namespace ferrule
