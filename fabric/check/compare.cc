#include "fabric/check/compare.h"

#include <cerrno>

namespace ferrule {

std::vector<Subject> port_subjects(const CheckInput& input) {
    std::vector<Subject> subjects;
    subjects.reserve(input.scope.ports.size());
    for (const ScopedPort& port : input.scope.ports) {
        subjects.push_back({port, port.netdev, port.object});
    }
    return subjects;
}

std::vector<Subject> device_subjects(const CheckInput& input) {
    std::vector<Subject> subjects;
    for (const ScopedPort& port : input.scope.ports) {
        const bool first = std::ranges::none_of(
            subjects, [&](const Subject& it) { return it.port.hca == port.hca; });
        if (first) {
            subjects.push_back({port, port.netdev, port.hca->name});
        }
    }
    return subjects;
}

std::vector<Subject> interface_subjects(const CheckInput& input) {
    std::vector<Subject> subjects;
    for (const ScopedPort& port : input.scope.ports) {
        if (!is_roce(port)) {
            continue;
        }
        for (const Netdev* const netdev : physical_netdevs(input.snapshot, port)) {
            subjects.push_back({port, netdev, netdev->name});
        }
    }
    return subjects;
}

std::string_view only_active_wires(const CheckInput&, const Subject& subject) {
    if (subject.port.fabric == FabricKind::Efa) {
        return "EFA tells none";
    }
    return is_active(subject.port) ? "" : "the port is not ACTIVE";
}

bool is_dcb_unread(const CheckInput& input, const Subject& subject) {
    return std::ranges::any_of(input.snapshot.problems, [&](const ReadProblem& problem) {
        return problem.where == dcb_source(subject) && problem.error_number != EOPNOTSUPP;
    });
}

}  // namespace ferrule
