#include "fabric/check/checks.h"
#include "fabric/check/compare.h"

#include <fmt/format.h>

namespace ferrule {

namespace {

bool pfc_is_meant(const CheckInput& input, const Subject& it) {
    const auto& wanted = input.profile.expected.pfc;
    if (wanted) {
        return wanted->bits != 0;
    }
    const auto& dcb = it.netdev->dcb;
    return dcb && dcb->pfc && dcb->pfc->enabled.bits != 0;
}

void check_interface(const CheckInput& input, const Subject& it, Findings& findings) {
    const auto pause =
        it.netdev->ethernet ? it.netdev->ethernet->pause : std::optional<PauseState>{};
    const auto& wanted = input.profile.expected.global_pause;
    if (!pause) {
        if (wanted) {
            findings.unknown(it.object, why_unread(input.snapshot, "ethtool " + it.object));
        } else {
            findings.not_applicable(it.object, "not told by this driver");
        }
        return;
    }
    const bool on = pause->receive || pause->transmit;
    const std::string seen =
        fmt::format("rx {} tx {}", pause->receive ? "on" : "off", pause->transmit ? "on" : "off");
    const bool contradicts = wanted && (*wanted == Switched::On) != on;
    if (contradicts) {
        findings.fail({it.object, seen, *wanted == Switched::On ? "on" : "off",
                       rule_of(input.profile, "global_pause"),
                       fmt::format("ethtool -A {} rx {} tx {}", it.object, on ? "off" : "on",
                                   on ? "off" : "on")});
    } else if (on && !wanted && pfc_is_meant(input, it)) {
        findings.fail({it.object, seen, "off", "PFC and global pause exclude each other",
                       fmt::format("ethtool -A {} rx off tx off", it.object)});
    } else {
        findings.pass(it.object, seen);
    }
}

}  // namespace

void check_global_pause(const CheckInput& input, Findings& findings) {
    for (const Subject& subject : interface_subjects(input)) {
        check_interface(input, subject, findings);
    }
}

}  // namespace ferrule
