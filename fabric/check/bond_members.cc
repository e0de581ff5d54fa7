#include "fabric/check/check_words.h"
#include "fabric/check/checks.h"
#include "fabric/policy/routes.h"

#include <fmt/format.h>

namespace ferrule {

namespace {

void check_member(const CheckInput& input, const Netdev& bond, const std::string& name,
                  Findings& findings) {
    const Netdev* const member = find_netdev(input.snapshot, name);
    if (member == nullptr) {
        findings.unknown(name, "a member of " + bond.name + " that is not in this namespace");
        return;
    }
    if (!member->carrier && member->operstate.empty()) {
        findings.unknown(name, why_unread(input.snapshot, "sys/class/net/" + name));
        return;
    }
    const bool up = member->carrier.value_or(false) && member->operstate != "down";
    if (up) {
        findings.pass(name, "up in " + bond.name);
        return;
    }
    const bool spare = bond.bond && bond.bond->mode == "active-backup";
    findings.fail({name, fmt::format("{} in {}", member->operstate, bond.name), "up",
                   "every member of a rail's bond carries traffic",
                   "look at its cable and its switch port; the bond stays ACTIVE without it"},
                  spare ? Severity::Warning : Severity::Critical);
}

}  // namespace

void check_bond_members(const CheckInput& input, Findings& findings) {
    for (const ScopedPort& port : input.scope.ports) {
        if (port.netdev == nullptr || !port.netdev->bond) {
            continue;
        }
        const auto& members = port.netdev->bond->members;
        for (const std::string& name : members) {
            check_member(input, *port.netdev, name, findings);
        }
        if (members.empty()) {
            findings.fail({port.netdev->name, "a bond without members", "members",
                           "every rail has a wire", "look at the configuration of the bond"});
        }
    }
    if (findings.empty()) {
        findings.not_applicable("node", "no rail is a bond");
    }
}

}  // namespace ferrule
