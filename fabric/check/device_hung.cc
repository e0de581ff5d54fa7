#include "fabric/check/checks.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace ferrule {

namespace {

// Where the kernel waits for the lock of all interfaces, which a driver may hold that hangs; who
// takes the lock stands here for it, since the taking leaves no frame of its own. A driver's
// function would be further down. Source: callers of rtnl_lock() of Linux 6.1.
constexpr std::array<std::string_view, 10> kNetworkLock{
    "rtnl_lock",       "rtnl_lock_killable",   "rtnetlink_rcv_msg",
    "netlink_dump",    "__netlink_dump_start", "dev_ethtool",
    "dev_ioctl",       "ethnl_default_doit",   "ethnl_default_dumpit",
    "ib_get_eth_speed"};

bool waits_for_another(const HungDevice& hung) {
    return std::ranges::count(kNetworkLock, hung.waits_at) > 0;
}

// One that waits for a lock, or asks for it over and over, beside one that hangs in its driver.
bool is_victim(const HungDevice& hung) {
    return hung.busy || waits_for_another(hung) || !hung.in_kernel;
}

std::string place_of(const HungDevice& hung) {
    if (waits_for_another(hung)) {
        return ": it waits for the network lock, which another device holds";
    }
    const std::string place = hung.in_kernel ? ", inside the kernel" : "";
    return hung.waits_at.empty() ? place : fmt::format("{} ({})", place, hung.waits_at);
}

std::string why_busy(const HungDevice& hung) {
    return hung.waited_ms == 0
               ? fmt::format("its reader ended at: {}", hung.step)
               : fmt::format("not read within {} ms: the node is busy", hung.waited_ms);
}

}  // namespace

void check_device_hung(const CheckInput& input, Findings& findings) {
    const auto& all = input.snapshot.hung;
    const bool cause_is_known =
        std::ranges::any_of(all, [](const HungDevice& hung) { return !is_victim(hung); });
    for (const HungDevice& hung : all) {
        if (hung.busy) {
            findings.unknown(hung.name, why_busy(hung));
            continue;
        }
        // Whoever holds the lock that all wait for may be no device of the fabric at all.
        const bool victim = waits_for_another(hung) || (cause_is_known && is_victim(hung));
        findings.fail(
            {hung.name,
             fmt::format("no answer within {} ms while reading {}{}", hung.waited_ms, hung.step,
                         place_of(hung)),
             "an answer", "every device answers within its time",
             victim ? "look at the device that hangs by itself, or at who holds the network lock"
                    : "look at the kernel's log for its driver; a device that hangs there "
                      "needs a reset or a reboot"},
            victim ? Severity::Warning : Severity::Critical);
    }
    if (all.empty()) {
        findings.pass("node", "every device answered");
    }
}

}  // namespace ferrule
