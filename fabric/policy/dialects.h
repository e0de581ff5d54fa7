// One intent in the words of each library. Pure; one source file a library.
#pragma once

#include "fabric/model/plan.h"
#include "fabric/policy/gid_policy.h"
#include "fabric/policy/rails.h"
#include "fabric/policy/socket_interface.h"

#include <optional>
#include <string>
#include <vector>

namespace ferrule {

struct Intent {
    FabricMode mode{FabricMode::Auto};
    RailChoice rails{};
    SocketChoice socket{};
    // RoCE only.
    std::optional<GidPolicy> gid{};
    NodeProfile profile{};
};

// dialect_nccl.cc: NCCL 2.5 to 2.30, and the HPC-X plugin that reads the same names.
[[nodiscard]] std::vector<EnvChange> nccl_variables(const Intent& intent);
// dialect_ucx.cc: UCX 1.11 and later.
[[nodiscard]] std::vector<EnvChange> ucx_variables(const Intent& intent);
// dialect_gloo.cc: PyTorch's Gloo.
[[nodiscard]] std::vector<EnvChange> gloo_variables(const Intent& intent);
// dialect_libfabric.cc: libfabric under the AWS plugin.
[[nodiscard]] std::vector<EnvChange> libfabric_variables(const Intent& intent);

// The rails are InfiniBand or RoCE ports, which NCCL and UCX drive through verbs.
[[nodiscard]] bool has_verbs_rails(const Intent& intent);
// "mlx5_0:1,mlx5_3:1" in PCI order.
[[nodiscard]] std::string port_list(const std::vector<Rail>& rails);

}  // namespace ferrule
