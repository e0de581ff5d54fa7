// Whether a process hangs, or only had no processor.
#include "fabric/isolate/process_state.h"

#include "tests/support/catch.h"

#include <chrono>
#include <csignal>

#include <sys/wait.h>
#include <unistd.h>

using namespace ferrule;
using namespace std::chrono_literals;

TEST_CASE("who asks is running, and waits nowhere") {
    const ProcessState own = process_state(::getpid());
    CHECK(own.runnable);
    CHECK(own.ran > 0ns);
    CHECK(own.waits_at.empty());
}

TEST_CASE("one that sleeps is not runnable") {
    const pid_t pid = ::fork();
    if (pid == 0) {
        ::pause();
        ::_exit(0);
    }
    for (int i = 0; i < 1000 && process_state(pid).runnable; ++i) {
        ::usleep(10'000);
    }
    CHECK_FALSE(process_state(pid).runnable);
    ::kill(pid, SIGKILL);
    ::waitpid(pid, nullptr, 0);
    CHECK(process_state(pid).ran == 0ns);
}

TEST_CASE("starved is who waited for a processor most of the time") {
    struct Case {
        const char* what;
        ProcessState state;
        bool starved;
    };

    const Case& it = GENERATE(
        values<Case>({{"sleeps in a driver", {false, 1ms, 2ms, "mlx5_cmd_exec"}, false},
                      {"spins in a driver", {true, 1900ms, 50ms, ""}, false},
                      {"ready all the time, and never ran", {true, 0ms, 0ms, ""}, true},
                      {"ready, ran a little", {true, 300ms, 100ms, ""}, true},
                      {"had its turn at last and sleeps", {false, 10ms, 1800ms, "pipe_read"}, true},
                      {"shared a processor with one other", {true, 1100ms, 850ms, ""}, false},
                      {"nothing is told of it", {false, 0ms, 0ms, ""}, false}}));
    INFO(it.what);
    CHECK(is_starved(it.state, 2000ms) == it.starved);
}
