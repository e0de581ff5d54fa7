#include "fabric/check/check_words.h"
#include "fabric/check/checks.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace ferrule {

void check_memlock(const CheckInput& input, Findings& findings) {
    constexpr std::uint64_t kUnlimited = std::numeric_limits<std::uint64_t>::max();
    // Less than this does not hold the buffers of one connection of a library.
    constexpr std::uint64_t kFewest = 64ULL << 20U;
    const std::uint64_t limit = input.snapshot.memlock_limit.value_or(kUnlimited);
    const std::string seen = limit == kUnlimited ? "unlimited" : fmt::format("{} bytes", limit);
    constexpr auto kRemedy =
        "LimitMEMLOCK=infinity in slurmd's unit; PropagateResourceLimitsExcept=MEMLOCK in "
        "slurm.conf";
    const auto& wanted = input.profile.expected.memlock;
    const bool unread =
        std::ranges::count(input.snapshot.problems, "proc/self/limits", &ReadProblem::where) > 0;
    if (unread) {
        findings.unknown("node", why_unread(input.snapshot, "proc/self/limits"));
    } else if (wanted && !wanted->contains(limit)) {
        findings.fail({"node", seen,
                       wanted->low == kUnlimited ? "unlimited" : to_text(*wanted) + " bytes",
                       rule_of(input.profile, "memlock"), kRemedy});
    } else if (!wanted && limit < kFewest && !input.scope.ports.empty()) {
        findings.fail({"node", seen, "unlimited", "RDMA locks the memory of its buffers", kRemedy},
                      Severity::Warning);
    } else {
        findings.pass("node", seen);
    }
}

}  // namespace ferrule
