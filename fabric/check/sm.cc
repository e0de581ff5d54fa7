#include "fabric/check/check_words.h"
#include "fabric/check/checks.h"

#include <fmt/format.h>

namespace ferrule {

namespace {

bool is_assigned(Lid lid) {
    constexpr std::uint16_t kUnassigned = 0xffff;
    return lid.value != 0 && lid.value != kUnassigned;
}

void check_port(const CheckInput& input, const ScopedPort& port, Findings& findings) {
    const auto& lid = port.port->lid;
    const auto& sm = port.port->sm_lid;
    constexpr auto kRule = "a subnet manager has configured the port";
    if (!lid || !sm) {
        findings.unknown(port.object,
                         why_unread(input.snapshot, port_path(port) + (lid ? "sm_lid" : "lid")));
        return;
    }
    const std::string seen =
        fmt::format("LID {:#x}, subnet manager at {:#x}", lid->value, sm->value);
    const auto& wanted = input.profile.expected.sm_lid;
    if (!is_assigned(*lid) || !is_assigned(*sm)) {
        findings.fail({port.object, seen, "both assigned", kRule,
                       "look at opensm: is there a master, and does it see this port"});
    } else if (wanted && *wanted != *sm) {
        findings.fail({port.object, seen, fmt::format("subnet manager at {:#x}", wanted->value),
                       rule_of(input.profile, "sm_lid"),
                       "another subnet manager has taken over: look at the priorities"},
                      Severity::Warning);
    } else {
        findings.pass(port.object, seen);
    }
}

}  // namespace

void check_sm(const CheckInput& input, Findings& findings) {
    for (const ScopedPort& port : input.scope.ports) {
        if (!is_infiniband(port)) {
            findings.not_applicable(port.object, "not InfiniBand");
        } else if (!is_active(port)) {
            // A port that is down keeps what it had.
            findings.not_applicable(port.object, "the port is not ACTIVE");
        } else {
            check_port(input, port, findings);
        }
    }
}

}  // namespace ferrule
