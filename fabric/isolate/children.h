// Runs pieces of work each in a process of its own under a deadline: a device whose driver hangs
// takes its own process with it and nothing else.
#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace ferrule {

// Where a piece of work says what it is about to do, so that one that hangs tells where. It lies in
// memory that the waiting process shares.
class StepBoard {
  public:
    static constexpr std::size_t kLongest = 120;

    // Longer texts are cut.
    void now(std::string_view step);
    [[nodiscard]] std::string step() const;

  private:
    char text_[kLongest + 1]{};  // NOLINT(*-avoid-c-arrays): plain memory, shared
};

struct Job {
    std::string name{};
    // Runs in the child; its bytes are the answer. It must not wait for other threads, and has no
    // open file of the parent's: one that hangs in the kernel for long holds nobody's output or
    // lock.
    std::function<std::string(StepBoard&)> work{};
    // Counted from the start of all.
    std::chrono::milliseconds patience{0};
};

enum class JobEnd {
    Answered,
    // Ended without a whole answer: it crashed, or threw.
    Broken,
    // Killed at the deadline, at which it waited for something.
    Hung,
    // Killed, and still there: it is inside the kernel.
    HungInKernel,
    // Killed at the deadline, at which it was at work, or was answering; or most of the time it had
    // no processor. A busy machine does that too, so this says nothing of a device.
    Busy,
    // No process could be made.
    NotStarted,
};

struct JobResult {
    std::string name{};
    JobEnd end{JobEnd::NotStarted};
    std::string answer{};
    // The last step of one that did not answer.
    std::string step{};
    // The kernel's function in which one waited that hung; empty where the kernel does not tell.
    std::string waits_at{};
};

// In the order of the jobs. Returns when the longest patience of those without an answer is over,
// give or take a moment, whatever the jobs do. An answer has at most 16 MiB.
[[nodiscard]] std::vector<JobResult> run_jobs(const std::vector<Job>& jobs);

}  // namespace ferrule
