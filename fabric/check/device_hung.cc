#include "fabric/check/checks.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace ferrule {

namespace {

// Functions of the kernel that wait for the lock of all interfaces, which a driver may hold that
// hangs. Source: net/core/rtnetlink.c, net/netlink/af_netlink.c.
constexpr std::array<std::string_view, 5> kNetworkLock{
    "rtnl_lock", "rtnl_lock_killable", "rtnetlink_rcv_msg", "netlink_dump", "__netlink_dump_start"};

bool waits_for_another(const HungDevice& hung) {
    return std::ranges::count(kNetworkLock, hung.waits_at) > 0;
}

std::string place_of(const HungDevice& hung) {
    if (waits_for_another(hung)) {
        return ": it waits for the network lock, which another device holds";
    }
    const std::string place = hung.in_kernel ? ", inside the kernel" : "";
    return hung.waits_at.empty() ? place : fmt::format("{} ({})", place, hung.waits_at);
}

}  // namespace

void check_device_hung(const CheckInput& input, Findings& findings) {
    const auto& all = input.snapshot.hung;
    const bool cause_is_known = std::ranges::any_of(
        all, [](const HungDevice& hung) { return hung.in_kernel && !waits_for_another(hung); });
    for (const HungDevice& hung : all) {
        const bool victim = cause_is_known && waits_for_another(hung);
        findings.fail(
            {hung.name,
             fmt::format("no answer within {} ms while reading {}{}", hung.waited_ms, hung.step,
                         place_of(hung)),
             "an answer", "every device answers within its time",
             victim ? "look at the device that hangs by itself"
                    : "look at the kernel's log for its driver; a device that hangs there "
                      "needs a reset or a reboot"},
            victim ? Severity::Warning : Severity::Critical);
    }
    if (all.empty()) {
        findings.pass("node", "every device answered");
    }
}

}  // namespace ferrule
