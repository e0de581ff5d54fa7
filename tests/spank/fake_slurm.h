// A host for the plugin in place of Slurm: the functions of spank.h over plain data. The real Slurm
// is in tests/slurm; this one exists for what it cannot do, which is to fail on demand.
#pragma once

#include "fabric/policy/ownership.h"
#include "spank/slurm_api.h"

#include <functional>
#include <string>
#include <vector>

namespace ferrule::testing {

struct FakeSlurm {
    spank_context_t context{S_CTX_REMOTE};
    Environment environment{};
    std::uint32_t step{0};
    int task{0};
    std::vector<spank_option> options{};
    std::vector<std::string> errors{};
    std::vector<std::string> quiet{};
    // Called at the start of every function of Slurm's that the plugin calls; may throw.
    std::function<void(const char* function)> on_call{};

    // The environment as `char**`, made anew for each look.
    std::vector<std::string> entries{};
    std::vector<char*> pointers{};
};

// The one host of this process. Slurm's interface knows no other place.
[[nodiscard]] FakeSlurm& slurm();

// A handle as Slurm would pass it.
[[nodiscard]] spank_t handle();

}  // namespace ferrule::testing
