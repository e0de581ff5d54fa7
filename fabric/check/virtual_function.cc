#include "fabric/check/check_words.h"
#include "fabric/check/checks.h"

#include <algorithm>

namespace ferrule {

namespace {

const Port* physical_port(const NodeSnapshot& snapshot, const Hca& hca, unsigned number) {
    const auto physical = std::ranges::find_if(snapshot.hcas, [&](const Hca& other) {
        return other.pci.address && other.pci.address == hca.physical_function;
    });
    if (physical == snapshot.hcas.end()) {
        return nullptr;
    }
    const auto port = std::ranges::find(physical->ports, number, &Port::number);
    return port == physical->ports.end() ? nullptr : &*port;
}

bool is_rail(const Scope& scope, const Port& port) {
    return std::ranges::count(scope.ports, &port, &ScopedPort::port) > 0;
}

void check_port(const CheckInput& input, const Hca& hca, const Port& port, Findings& findings) {
    const std::string object = port_object(hca, port);
    const Port* const physical = physical_port(input.snapshot, hca, port.number);
    if (physical == nullptr || !physical->state) {
        findings.not_applicable(object, "its physical function is not on this node");
    } else if (physical->state == PortState::Active || port.state != PortState::Active) {
        findings.pass(object, "as its physical function");
    } else {
        findings.fail({object, "ACTIVE while the physical port is " + to_text(*physical->state),
                       "the state of the wire", "a virtual function follows its port",
                       "look at the physical port; set the function's link state to auto"},
                      is_rail(input.scope, port) ? Severity::Critical : Severity::Warning);
    }
}

}  // namespace

void check_virtual_function(const CheckInput& input, Findings& findings) {
    for (const Hca& hca : input.snapshot.hcas) {
        if (hca.function != FunctionKind::Virtual) {
            continue;
        }
        for (const Port& port : hca.ports) {
            check_port(input, hca, port, findings);
        }
    }
    if (findings.empty()) {
        findings.not_applicable("node", "no virtual function");
    }
}

}  // namespace ferrule
