#include "fabric/check/checks.h"
#include "fabric/check/growth.h"

#include <fmt/format.h>

namespace ferrule {

void check_counter_saturated(const CheckInput& input, Findings& findings) {
    for (const FollowedCounter& counter : input.counters) {
        const auto most = sticks_at(*counter.row);
        if (most && counter.value >= *most) {
            findings.unknown(counter.object,
                             fmt::format("{} stands at its maximum {}, so that new events do not "
                                         "show; clear it with perfquery -R",
                                         counter.name, counter.value));
        }
    }
    if (findings.empty()) {
        findings.pass("node", "every counter can still grow");
    }
}

}  // namespace ferrule
