#include "fabric/check/check_words.h"
#include "fabric/check/checks.h"

#include <fmt/format.h>

#include <algorithm>

namespace ferrule {

void check_sysctl(const CheckInput& input, Findings& findings) {
    for (const auto& [name, wanted] : input.profile.expected.sysctls) {
        const auto& all = input.snapshot.host.sysctls;
        const auto found =
            std::ranges::find(all, name, &std::pair<std::string, std::string>::first);
        if (found == all.end()) {
            findings.unknown("node", name + ": " + why_unread(input.snapshot, "proc/sys/net"));
        } else if (found->second == wanted) {
            findings.pass("node", fmt::format("{} is {}", name, wanted));
        } else {
            findings.fail({"node", fmt::format("{} is {}", name, found->second), wanted,
                           rule_of(input.profile, "sysctls"),
                           fmt::format("sysctl -w {}={}", name, wanted)});
        }
    }
    if (input.profile.expected.sysctls.empty()) {
        findings.not_applicable("node", "the profile names none");
    }
}

}  // namespace ferrule
