#include "fabric/check/checks.h"

#include <fmt/format.h>

namespace ferrule {

void check_device_hung(const CheckInput& input, Findings& findings) {
    for (const HungDevice& hung : input.snapshot.hung) {
        const std::string place = hung.in_kernel ? ", inside the kernel" : "";
        findings.fail({hung.name,
                       fmt::format("no answer within {} ms while reading {}{}", hung.waited_ms,
                                   hung.step, place),
                       "an answer", "every device answers within its time",
                       "look at the kernel's log for its driver; a device that hangs there needs a "
                       "reset or a reboot"});
    }
    if (input.snapshot.hung.empty()) {
        findings.pass("node", "every device answered");
    }
}

}  // namespace ferrule
