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
// dialect_nvshmem.cc: NVSHMEM 3.
[[nodiscard]] std::vector<EnvChange> nvshmem_variables(const Intent& intent);
// dialect_pytorch.cc: PyTorch's Gloo and TensorPipe.
[[nodiscard]] std::vector<EnvChange> pytorch_variables(const Intent& intent);
// dialect_openmpi.cc: Open MPI 4, and PRRTE of Open MPI 5.
[[nodiscard]] std::vector<EnvChange> openmpi_variables(const Intent& intent);
// dialect_libfabric.cc: libfabric under the AWS plugin for NCCL (aws-ofi-nccl).
[[nodiscard]] std::vector<EnvChange> libfabric_variables(const Intent& intent);
// dialect_libfabric.cc too: libfabric under MPICH and its kin.
[[nodiscard]] std::vector<EnvChange> mpich_variables(const Intent& intent);

// All of the libraries that the profile is for, in the order above.
[[nodiscard]] std::vector<EnvChange> variables_of_libraries(const Intent& intent);

// The rails are InfiniBand or RoCE ports, which NCCL and UCX drive through verbs.
[[nodiscard]] bool has_verbs_rails(const Intent& intent);
// The site's traffic class (RoCE only) and service level, for a library with one variable for each.
[[nodiscard]] std::vector<EnvChange> class_variables(const Intent& intent,
                                                     const std::string& traffic_class,
                                                     const std::string& service_level);
// "mlx5_0:1,mlx5_3:1" in PCI order.
[[nodiscard]] std::string port_list(const std::vector<Rail>& rails);
// What the names of all HCAs begin with; `rails` is not empty.
[[nodiscard]] std::string common_beginning(const std::vector<Rail>& rails);

}  // namespace ferrule
