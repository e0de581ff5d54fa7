// What a process of ours is at just now, as the kernel tells it.
#pragma once

#include <chrono>
#include <string>

#include <sys/types.h>

namespace ferrule {

struct ProcessState {
    // Ready to run, or running: the kernel keeps it waiting for a processor at most.
    bool runnable{false};
    // How long it had a processor, and how long it was ready and had none. Zero where the kernel
    // does not count it. Source: Documentation/scheduler/sched-stats.rst, /proc/<pid>/schedstat.
    std::chrono::nanoseconds ran{0};
    std::chrono::nanoseconds queued{0};
    // The kernel's function in which it waits; empty where it does not wait, or the kernel does not
    // tell. Source: proc(5), wchan.
    std::string waits_at{};
};

// Of a process that has gone, nothing.
[[nodiscard]] ProcessState process_state(pid_t pid);

// Whether a process that was not ready after this time was kept from running by others, more than
// by what it does: it says nothing of a device then.
[[nodiscard]] bool is_starved(const ProcessState& state, std::chrono::nanoseconds after);

}  // namespace ferrule
