#include "fabric/check/check_words.h"
#include "fabric/check/checks.h"

#include <fmt/format.h>

namespace ferrule {

void check_gpu_count(const CheckInput& input, Findings& findings) {
    const auto wanted = input.profile.expected.gpus;
    const std::size_t here = input.snapshot.gpus.size();
    if (!wanted) {
        findings.not_applicable("node", fmt::format("{} GPUs, and no profile says how many", here));
    } else if (here == *wanted) {
        findings.pass("node", fmt::format("{} GPUs", here));
    } else {
        findings.fail({"node", fmt::format("{} GPUs", here), std::to_string(*wanted),
                       rule_of(input.profile, "gpus"),
                       "look for the missing one in lspci and in the kernel's log"});
    }
}

}  // namespace ferrule
