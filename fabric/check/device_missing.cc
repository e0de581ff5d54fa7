#include "fabric/check/check_words.h"
#include "fabric/check/checks.h"
#include "fabric/policy/rail_rules.h"
#include "fabric/policy/routes.h"

#include <fmt/format.h>

#include <algorithm>

namespace ferrule {

namespace {

// One RDMA device of a bond stands for both functions of its card.
bool is_of_bond(const NodeSnapshot& snapshot, const Hca& hca) {
    return std::ranges::any_of(hca.ports, [&](const Port& port) {
        const Netdev* const netdev = find_netdev(snapshot, port.netdev);
        return netdev != nullptr && netdev->bond.has_value();
    });
}

bool has_device(const NodeSnapshot& snapshot, const RdmaFunction& function) {
    return std::ranges::any_of(snapshot.hcas, [&](const Hca& hca) {
        const auto& address = hca.pci.address;
        return address == function.address ||
               (address && address->slot() == function.address.slot() && is_of_bond(snapshot, hca));
    });
}

bool given_away(const RdmaFunction& function) {
    return function.driver == "vfio-pci" || function.driver == "pci-stub";
}

bool serves_rails(const Scope& scope, const RdmaFunction& function) {
    return std::ranges::any_of(scope.ports, [&](const ScopedPort& port) {
        return port.hca->vendor_id == function.vendor_id &&
               port.hca->device_id == function.device_id &&
               port.hca->pci.address.value_or(PciAddress{}).function == function.address.function;
    });
}

// Of the rails' kind, or made for nothing else; another Ethernet adapter may do without.
bool needs_device(const CheckInput& input, const RdmaFunction& function) {
    constexpr std::uint16_t kAmazon = 0x1d0f;
    return serves_rails(input.scope, function) || function.vendor_id == kAmazon ||
           input.snapshot.hcas.empty();
}

void missing_device(const RdmaFunction& function, Findings& findings) {
    if (function.has_device) {
        findings.unknown(to_text(function.address),
                         "its RDMA device is in another network namespace");
        return;
    }
    const std::string driver = function.driver.empty() ? "no driver" : function.driver;
    findings.fail({to_text(function.address),
                   fmt::format("{:04x}:{:04x} with {}, no RDMA device", function.vendor_id,
                               function.device_id, driver),
                   "an RDMA device", "every adapter like the rails' has one",
                   "look at the kernel's log: firmware too old for the driver, RoCE or RDMA "
                   "switched off, or a card that did not start"});
}

// A device that hangs is here, and has its own finding.
bool is_hung(const NodeSnapshot& snapshot, const RailSelector& selector) {
    return std::ranges::any_of(snapshot.hcas, [&](const Hca& hca) {
        return std::ranges::count(snapshot.hung, hca.name, &HungDevice::name) > 0 &&
               selects({selector.text, selector.pci, selector.name, {}}, hca, Port{});
    });
}

bool is_hung(const CheckInput& input, const std::string& text) {
    const auto& rails = input.profile.rails;
    const auto selector = std::ranges::find(rails, text, &RailSelector::text);
    return selector != rails.end() && is_hung(input.snapshot, *selector);
}

}  // namespace

void check_device_missing(const CheckInput& input, Findings& findings) {
    for (const std::string& selector : input.scope.missing) {
        if (is_hung(input, selector)) {
            findings.unknown(selector, "it does not answer");
            continue;
        }
        findings.fail({selector, "not on this node", "a rail", rule_of(input.profile, "rails"),
                       "look for the card in lspci; one that is gone needs a cold boot, one that "
                       "was renamed a PCI address in the profile"});
    }
    for (const RdmaFunction& function : input.snapshot.rdma_functions) {
        // Without the class the check of kernel modules speaks for all of them.
        if (!has_device(input.snapshot, function) && input.snapshot.rdma_class &&
            !given_away(function) && needs_device(input, function)) {
            missing_device(function, findings);
        }
    }
    const bool rails_meant = input.profile.link_layer || input.profile.expected.rate;
    if (input.scope.ports.empty() && rails_meant && findings.empty()) {
        findings.unknown("node",
                         "no rail is here, and the profile says what rails are like; name "
                         "them (rails) to have them missed");
    }
    if (findings.empty()) {
        findings.pass("node", fmt::format("{} RDMA devices", input.snapshot.hcas.size()));
    }
}

}  // namespace ferrule
