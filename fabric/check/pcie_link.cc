#include "fabric/check/checks.h"
#include "fabric/check/compare.h"
#include "fabric/policy/rails.h"

#include <fmt/format.h>

#include <algorithm>

namespace ferrule {

namespace {

std::string link_text(const PciLink& link) {
    return fmt::format("{} GT/s x{}", gbps_text(link.tenth_gts), link.lanes);
}

// What both ends of the link above a hop can do.
std::optional<PciLink> capability(const std::vector<PciHop>& path, std::size_t i) {
    const auto& own = path[i].max;
    if (!own || i + 1 >= path.size()) {
        return own;
    }
    const auto& above = path[i + 1].max;
    return above ? PciLink{std::min(own->tenth_gts, above->tenth_gts),
                           std::min(own->lanes, above->lanes)}
                 : *own;
}

constexpr auto kRemedy = "reseat the card or its riser and boot cold; then look at the slot";

// The profile speaks of the adapter's own link, and of the lanes all the way.
bool contradicts_profile(const CheckInput& input, const Subject& it, const PciLink& link,
                         Findings& findings) {
    const auto& expected = input.profile.expected;
    const bool slow = expected.pcie_speed && !expected.pcie_speed->contains(link.tenth_gts);
    const bool narrow = expected.pcie_width && !expected.pcie_width->contains(link.lanes);
    if (slow) {
        findings.fail({it.object, link_text(link),
                       to_text(*expected.pcie_speed, Unit::Tenth) + " GT/s",
                       rule_of(input.profile, "pcie_speed"), kRemedy});
    }
    if (narrow) {
        findings.fail({it.object, link_text(link), to_text(*expected.pcie_width) + " lanes",
                       rule_of(input.profile, "pcie_width"), kRemedy});
    }
    return slow || narrow;
}

// The first link on the way that has fewer lanes than both its ends, or on the adapter itself a
// lower speed. A switch's port slows down while nothing is sent, so its speed tells nothing. From
// the adapter up, each link has two hops: its lower end, and the port above it, which shows the
// same link.
bool is_degraded(const Subject& it, const std::vector<PciHop>& path, Findings& findings) {
    for (std::size_t i = 0; i < path.size(); i += 2) {
        const auto most = capability(path, i);
        const auto& current = path[i].current;
        const bool root = i + 1 == path.size() && path.size() > 1;
        if (!most || !current || root) {
            continue;
        }
        const bool narrow = current->lanes < most->lanes;
        const bool slow = i == 0 && current->tenth_gts < most->tenth_gts;
        if (narrow || slow) {
            const std::string place =
                i == 0 ? std::string{} : fmt::format(" above {}", to_text(path[i].address));
            findings.fail({it.object, link_text(*current) + place, link_text(*most),
                           "what both ends of the link can do", kRemedy});
            return true;
        }
    }
    return false;
}

void check_device(const CheckInput& input, const Subject& it, Findings& findings) {
    const Hca& hca = *it.port.hca;
    if (!hca.pci.address) {
        findings.not_applicable(it.object, "a device of software");
        return;
    }
    const bool known = hca.pcie && !hca.pcie->path.empty() && hca.pcie->path.front().current;
    if (!known) {
        // A virtual function in a guest shows no link.
        if (hca.function == FunctionKind::Virtual || !hca.pcie || hca.pcie->path.empty()) {
            findings.not_applicable(it.object, "shows no link");
        } else {
            findings.unknown(it.object, why_unread(input.snapshot, "sys/bus/pci/devices/" +
                                                                       to_text(*hca.pci.address)));
        }
        return;
    }
    const PciLink link = hca.pcie->path.front().current.value_or(PciLink{});
    if (!contradicts_profile(input, it, link, findings) &&
        !is_degraded(it, hca.pcie->path, findings)) {
        findings.pass(it.object, link_text(link));
    }
}

}  // namespace

void check_pcie_link(const CheckInput& input, Findings& findings) {
    for (const Subject& subject : device_subjects(input)) {
        check_device(input, subject, findings);
    }
}

}  // namespace ferrule
