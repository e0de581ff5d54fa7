// The border between Slurm's C and Ferrule's C++: nothing crosses it, whatever goes wrong behind
// it. An exception in slurmstepd would leave the step running for ever.
#pragma once

#include "spank/slurm_api.h"

#include <exception>

namespace ferrule {

// Where a message may go: a failure on a compute node belongs in the node's log; in srun, sbatch
// and salloc error messages reach the user's terminal, so it shows there with -v only.
inline void log_failure(spank_context_t context, const char* where, const char* what) noexcept {
    if (context == S_CTX_REMOTE) {
        slurm_error("ferrule: %s: %s; the job runs with what is set so far", where, what);
    } else {
        slurm_verbose("ferrule: %s: %s", where, what);
    }
}

// Runs `body` and always answers success: Ferrule never fails a job.
template <typename Body>
int guard(const char* callback, Body body) noexcept {
    try {
        body();
    } catch (const std::exception& error) {
        log_failure(spank_context(), callback, error.what());
    } catch (...) {
        log_failure(spank_context(), callback, "unknown failure");
    }
    return ESPANK_SUCCESS;
}

}  // namespace ferrule
