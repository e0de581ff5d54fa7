#include "fabric/check/check_words.h"
#include "fabric/check/checks.h"

#include <fmt/format.h>

namespace ferrule {

namespace {

constexpr auto kNotTold =
    "rdma_cm shows its defaults only below sys/kernel/config/rdma_cm, once someone made the "
    "device's folder there";

void check_version(const CheckInput& input, const ScopedPort& port, Findings& findings) {
    const auto& wanted = input.profile.expected.cm_roce_version;
    const auto& type = port.port->cm_gid_type;
    if (!type) {
        if (wanted) {
            findings.unknown(port.object, kNotTold);
        } else {
            findings.not_applicable(port.object, "not shown by this node");
        }
        return;
    }
    const unsigned version = *type == GidType::RoceV2 ? 2 : 1;
    const std::string seen = fmt::format("rdma_cm takes RoCE version {}", version);
    if (version == wanted.value_or(2)) {
        findings.pass(port.object, seen);
        return;
    }
    findings.fail(
        {port.object, seen, std::to_string(wanted.value_or(2)),
         wanted ? rule_of(input.profile, "rdma_cm_roce_version") : "version 1 is not routed",
         fmt::format("cma_roce_mode -d {} -p {} -m {}", port.hca->name, port.port->number,
                     wanted.value_or(2))},
        wanted ? Severity::Critical : Severity::Warning);
}

void check_tos(const CheckInput& input, const ScopedPort& port, Findings& findings) {
    const auto& wanted = input.profile.expected.cm_tos;
    if (!wanted) {
        return;
    }
    const auto& tos = port.port->cm_tos;
    if (!tos) {
        findings.unknown(port.object, kNotTold);
    } else if (*tos == *wanted) {
        findings.pass(port.object, fmt::format("rdma_cm sends with ToS {}", *tos));
    } else {
        findings.fail({port.object, fmt::format("rdma_cm sends with ToS {}", *tos),
                       std::to_string(*wanted), rule_of(input.profile, "rdma_cm_tos"),
                       fmt::format("cma_roce_tos -d {} -p {} -t {}", port.hca->name,
                                   port.port->number, *wanted)});
    }
}

}  // namespace

void check_roce_mode(const CheckInput& input, Findings& findings) {
    for (const ScopedPort& port : input.scope.ports) {
        if (is_roce(port)) {
            check_version(input, port, findings);
            check_tos(input, port, findings);
        }
    }
}

}  // namespace ferrule
