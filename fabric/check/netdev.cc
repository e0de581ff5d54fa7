#include "fabric/check/checks.h"
#include "fabric/check/compare.h"

namespace ferrule {

namespace {

void check_interface(const CheckInput& input, const ScopedPort& port, Findings& findings) {
    if (port.netdev == nullptr) {
        const std::string name = port.port->netdev.empty() ? "its interface" : port.port->netdev;
        findings.unknown(port.object,
                         name +
                             " is not in this network namespace; it may have been given to a "
                             "container");
        return;
    }
    const Netdev& netdev = *port.netdev;
    if (netdev.operstate == "up" || (netdev.operstate == "unknown" && netdev.carrier == true)) {
        findings.pass(netdev.name, netdev.operstate);
    } else if (netdev.operstate.empty()) {
        findings.unknown(netdev.name,
                         why_unread(input.snapshot, "sys/class/net/" + netdev.name + "/operstate"));
    } else {
        findings.fail({netdev.name, netdev.operstate, "up", "the interface of a rail is up",
                       "ip link set " + netdev.name + " up; then look at its cable"});
    }
}

}  // namespace

void check_netdev(const CheckInput& input, Findings& findings) {
    std::size_t with_ipoib = 0;
    std::size_t infiniband = 0;
    for (const ScopedPort& port : input.scope.ports) {
        infiniband += is_infiniband(port) ? 1U : 0U;
        with_ipoib += is_infiniband(port) && port.netdev != nullptr ? 1U : 0U;
    }
    for (const ScopedPort& port : input.scope.ports) {
        if (is_roce(port)) {
            check_interface(input, port, findings);
        } else if (!is_infiniband(port)) {
            findings.not_applicable(port.object, "EFA has no interface");
        } else if (port.netdev != nullptr) {
            // IPoIB may be down while RDMA works.
            findings.pass(port.netdev->name, port.netdev->operstate);
        } else if (with_ipoib * 2 > infiniband) {
            findings.fail({port.object, "no IPoIB interface", "one", std::string{kMostRails},
                           "look at ib_ipoib in the kernel's log"},
                          Severity::Warning);
        } else {
            findings.not_applicable(port.object, "no IPoIB on this node");
        }
    }
}

}  // namespace ferrule
