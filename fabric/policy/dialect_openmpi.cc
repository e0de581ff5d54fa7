#include "fabric/policy/dialects.h"

#include <fmt/format.h>

#include <array>

namespace ferrule {

// mpirun hands the variables of its own node to all others, so that only what is true on all of
// them may be said: a subnet, not a name.
std::vector<EnvChange> openmpi_variables(const Intent& intent) {
    constexpr std::array<const char*, 3> kNames{
        "OMPI_MCA_btl_tcp_if_include", "OMPI_MCA_oob_tcp_if_include", "PRTE_MCA_prte_if_include"};
    const std::string group = "Open MPI interfaces";
    // Open MPI's lists take IPv4 only.
    const auto& shared = intent.socket.shared_subnet;
    const bool fits = shared && shared->address.family == IpFamily::V4;
    std::vector<EnvChange> changes;
    for (const char* const name : kNames) {
        EnvChange change{name, {}, {}, group, {}};
        if (fits) {
            change.value = to_text(*shared);
            change.reason = fmt::format("subnet of {}: it holds all nodes, as mpirun needs it",
                                        intent.socket.name);
        } else {
            change.reason =
                intent.socket.name.empty()
                    ? intent.socket.reason
                    : "no IPv4 subnet is known to hold all of the job's nodes; socket_subnet "
                      "in the profile names one";
        }
        changes.push_back(std::move(change));
    }
    // Open MPI refuses both at once.
    changes.push_back({"OMPI_MCA_btl_tcp_if_exclude",
                       {},
                       "the interfaces to use are named instead",
                       group,
                       kNames.front()});
    return changes;
}

}  // namespace ferrule
