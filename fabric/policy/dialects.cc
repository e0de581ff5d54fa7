#include "fabric/policy/dialects.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>

namespace ferrule {

namespace {

struct Dialect {
    Library library{};
    std::vector<EnvChange> (*variables)(const Intent&){nullptr};
};

constexpr std::array kDialects{
    Dialect{Library::Nccl, nccl_variables},       Dialect{Library::Ucx, ucx_variables},
    Dialect{Library::Nvshmem, nvshmem_variables}, Dialect{Library::Pytorch, pytorch_variables},
    Dialect{Library::OpenMpi, openmpi_variables}, Dialect{Library::Libfabric, libfabric_variables},
    Dialect{Library::Mpich, mpich_variables},
};

}  // namespace

std::vector<EnvChange> variables_of_libraries(const Intent& intent) {
    std::vector<EnvChange> changes;
    for (const Dialect& dialect : kDialects) {
        if (std::ranges::count(intent.profile.libraries, dialect.library) > 0) {
            std::ranges::move(dialect.variables(intent), std::back_inserter(changes));
        }
    }
    return changes;
}

bool has_verbs_rails(const Intent& intent) {
    return intent.rails.kind == FabricKind::InfiniBand || intent.rails.kind == FabricKind::Roce;
}

std::vector<EnvChange> class_variables(const Intent& intent, const std::string& traffic_class,
                                       const std::string& service_level) {
    const NodeProfile& profile = intent.profile;
    std::vector<EnvChange> changes;
    if (profile.traffic_class && intent.rails.kind == FabricKind::Roce) {
        changes.push_back({traffic_class,
                           std::to_string(*profile.traffic_class),
                           fmt::format("traffic class of profile {}", profile.name),
                           {},
                           {}});
    }
    if (profile.service_level) {
        changes.push_back({service_level,
                           std::to_string(*profile.service_level),
                           fmt::format("service_level of profile {}", profile.name),
                           {},
                           {}});
    }
    return changes;
}

std::string port_list(const std::vector<Rail>& rails) {
    std::string list;
    for (const Rail& rail : rails) {
        list += fmt::format("{}{}:{}", list.empty() ? "" : ",", rail.hca->name, rail.port->number);
    }
    return list;
}

std::string common_beginning(const std::vector<Rail>& rails) {
    std::string beginning = rails.front().hca->name;
    for (const Rail& rail : rails) {
        beginning.erase(std::ranges::mismatch(beginning, rail.hca->name).in1, beginning.end());
    }
    return beginning;
}

}  // namespace ferrule
