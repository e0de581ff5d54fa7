// spank_ferrule.so: what Slurm calls. Each callback is one guarded line into the session.
#include "spank/guard.h"
#include "spank/options.h"
#include "spank/session.h"

#include <utility>

// Namespace-scope constants are internal in C++ unless they were declared extern before.
extern "C" {
extern __attribute__((visibility("default"))) const char plugin_name[];
extern __attribute__((visibility("default"))) const char plugin_type[];
extern __attribute__((visibility("default"))) const unsigned int plugin_version;
extern __attribute__((visibility("default"))) const unsigned int spank_plugin_version;

SPANK_PLUGIN(ferrule, 1)
}

namespace {

// Lives from slurm_spank_init to slurm_spank_exit; forked tasks inherit it. Slurm's interface has
// no place to keep it.
constinit ferrule::Session* session = nullptr;

}  // namespace

extern "C" {

__attribute__((visibility("default"))) int slurm_spank_init(spank_t spank, int argc, char** argv) {
    return ferrule::guard("init", [&] {
        delete std::exchange(session, nullptr);
        // First, since srun refuses a job with an option that nobody registered.
        ferrule::register_options(spank, [](ferrule::Option option, const char* value) {
            return session == nullptr || session->take_option(option, value);
        });
        session = new ferrule::Session{argc, argv};
    });
}

__attribute__((visibility("default"))) int slurm_spank_init_post_opt(spank_t spank, int, char**) {
    return ferrule::guard("init_post_opt", [&] {
        if (session != nullptr) {
            session->prepare_step(spank);
        }
    });
}

__attribute__((visibility("default"))) int slurm_spank_task_init(spank_t spank, int, char**) {
    return ferrule::guard("task_init", [&] {
        if (session != nullptr) {
            session->start_task(spank);
        }
    });
}

__attribute__((visibility("default"))) int slurm_spank_exit(spank_t, int, char**) {
    return ferrule::guard("exit", [] { delete std::exchange(session, nullptr); });
}

}  // extern "C"
