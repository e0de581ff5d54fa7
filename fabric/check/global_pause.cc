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

struct Wish {
    Switched state{Switched::Off};
    std::string rule{};
};

// What the profile says, or else what PFC asks for.
std::optional<Wish> wish_for(const CheckInput& input, const Subject& it) {
    if (const auto& wanted = input.profile.expected.global_pause) {
        return Wish{*wanted, rule_of(input.profile, "global_pause")};
    }
    return pfc_is_meant(input, it)
               ? std::optional{Wish{Switched::Off, "PFC and global pause exclude each other"}}
               : std::nullopt;
}

const char* word(bool on) {
    return on ? "on" : "off";
}

void judge(const std::string& netdev, const PauseState& pause, const std::optional<Wish>& wish,
           Findings& findings) {
    const std::string seen = fmt::format("rx {} tx {}", word(pause.receive), word(pause.transmit));
    const bool on = pause.receive || pause.transmit;
    if (!wish || (wish->state == Switched::On) == on) {
        findings.pass(netdev, seen);
        return;
    }
    findings.fail({netdev, seen, word(!on), wish->rule,
                   fmt::format("ethtool -A {0} rx {1} tx {1}", netdev, word(!on))});
}

void check_interface(const CheckInput& input, const Subject& it, Findings& findings) {
    const auto& ethernet = it.netdev->ethernet;
    if (ethernet && ethernet->pause) {
        judge(it.object, *ethernet->pause, wish_for(input, it), findings);
    } else if (input.profile.expected.global_pause) {
        findings.unknown(it.object, why_unread(input.snapshot, "ethtool " + it.object));
    } else {
        findings.not_applicable(it.object, "not told by this driver");
    }
}

}  // namespace

void check_global_pause(const CheckInput& input, Findings& findings) {
    for (const Subject& subject : interface_subjects(input)) {
        check_interface(input, subject, findings);
    }
}

}  // namespace ferrule
