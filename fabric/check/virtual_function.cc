#include "fabric/check/check_words.h"
#include "fabric/check/checks.h"

#include <algorithm>

namespace ferrule {

namespace {

const Port* physical_port(const NodeSnapshot& snapshot, const ScopedPort& port) {
    for (const Hca& hca : snapshot.hcas) {
        if (hca.pci.address && hca.pci.address == port.hca->physical_function) {
            const auto found = std::ranges::find(hca.ports, port.port->number, &Port::number);
            return found == hca.ports.end() ? nullptr : &*found;
        }
    }
    return nullptr;
}

}  // namespace

void check_virtual_function(const CheckInput& input, Findings& findings) {
    for (const ScopedPort& port : input.scope.ports) {
        if (port.hca->function != FunctionKind::Virtual) {
            continue;
        }
        const Port* const physical = physical_port(input.snapshot, port);
        if (physical == nullptr || !physical->state) {
            findings.not_applicable(port.object, "its physical function is not on this node");
        } else if (physical->state == PortState::Active || !is_active(port)) {
            findings.pass(port.object, "as its physical function");
        } else {
            findings.fail({port.object,
                           "ACTIVE while the physical port is " + to_text(*physical->state),
                           "the state of the wire", "a virtual function follows its port",
                           "look at the physical port; set the function's link state to auto"});
        }
    }
    if (findings.empty()) {
        findings.not_applicable("node", "no rail is a virtual function");
    }
}

}  // namespace ferrule
