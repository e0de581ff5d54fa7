#include "fabric/isolate/children.h"

#include "fabric/base/deadline.h"
#include "fabric/base/fd.h"
#include "fabric/base/file.h"
#include "fabric/isolate/process_state.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <exception>
#include <limits>
#include <memory>
#include <new>

#include <fcntl.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace ferrule {

namespace {

constexpr std::size_t kMostBytes = 16U << 20U;
constexpr std::chrono::milliseconds kAfterKill{100};

// The boards of all jobs, in memory that survives the fork as shared.
class Boards {
  public:
    explicit Boards(std::size_t count) : count_{std::max<std::size_t>(count, 1)} {
        void* const memory = ::mmap(nullptr, count_ * sizeof(StepBoard), PROT_READ | PROT_WRITE,
                                    MAP_SHARED | MAP_ANONYMOUS, -1, 0);
        if (memory == MAP_FAILED) {  // NOLINT(*-cstyle-cast, *-int-to-ptr): the system's constant
            throw std::bad_alloc{};
        }
        boards_ = static_cast<StepBoard*>(memory);
    }

    Boards(const Boards&) = delete;
    Boards& operator=(const Boards&) = delete;
    Boards(Boards&&) = delete;
    Boards& operator=(Boards&&) = delete;

    ~Boards() { ::munmap(boards_, count_ * sizeof(StepBoard)); }

    [[nodiscard]] StepBoard& of(std::size_t job) const { return boards_[job]; }

  private:
    std::size_t count_;
    StepBoard* boards_{nullptr};
};

// How the answer of a child ended, if it did.
enum class PipeEnd { Open, Closed, TooMuch, Late };

struct Running {
    pid_t pid{-1};
    Fd pipe{};
    PipeEnd end{PipeEnd::Closed};
    Deadline deadline{std::chrono::milliseconds{0}};
    // It is late for a reason that a busy machine is enough for.
    bool starved{false};
    bool at_work{false};
};

// Leaves open the pipe alone.
void let_go_of_files(int pipe) {
    constexpr int kStandard = 3;
    const int nothing = ::open("/dev/null", O_RDWR | O_CLOEXEC);
    for (int fd = 0; fd < kStandard && nothing >= 0; ++fd) {
        ::dup2(nothing, fd);
    }
    const auto own = static_cast<unsigned>(pipe);
    if (own > kStandard) {
        ::close_range(kStandard, own - 1, 0);
    }
    ::close_range(std::max<unsigned>(own + 1, kStandard), std::numeric_limits<unsigned>::max(), 0);
}

struct ForChild {
    pid_t parent;
    const Fd& pipe;
};

// Never returns. The last byte says that the answer is whole.
[[noreturn]] void be_child(const Job& job, StepBoard& board, const ForChild& given) {
    constexpr int kBroken = 1;
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (::getppid() != given.parent) {
        // It went before the line above took effect.
        ::_exit(kBroken);
    }
    let_go_of_files(given.pipe.get());
    int status = kBroken;
    try {
        std::string answer = job.work(board);
        answer += '.';
        status = write_all(given.pipe, answer, job.name) ? 0 : kBroken;
    } catch (...) {
        // Whatever was thrown, only the parent goes on behind the fork.
        status = kBroken;
    }
    // No destructor, no buffer of the parent's.
    ::_exit(status);
}

Running start(const Job& job, StepBoard& board) {
    std::array<int, 2> ends{-1, -1};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) {
        return {};
    }
    Fd read_end{ends[0]};
    const Fd write_end{ends[1]};
    ::fcntl(read_end.get(), F_SETFL, O_NONBLOCK);
    const ForChild given{::getpid(), write_end};
    const pid_t pid = ::fork();
    if (pid == 0) {
        be_child(job, board, given);
    }
    return pid < 0 ? Running{} : Running{pid,           std::move(read_end),
                                         PipeEnd::Open, Deadline{job.patience},
                                         false,         false};
}

// Takes what is there.
PipeEnd drain(const Running& running, std::string& answer) {
    std::array<char, 65536> buffer;  // NOLINT(*-member-init): filled by read
    for (;;) {
        const ssize_t got = ::read(running.pipe.get(), buffer.data(), buffer.size());
        if (got > 0 && answer.size() >= kMostBytes) {
            return PipeEnd::TooMuch;
        }
        if (got > 0) {
            answer.append(buffer.data(), static_cast<std::size_t>(got));
        } else if (got < 0 && errno == EAGAIN) {
            return PipeEnd::Open;
        } else if (got == 0 || errno != EINTR) {
            return PipeEnd::Closed;
        }
    }
}

// Those whose answer is not whole yet.
std::vector<std::size_t> unfinished(const std::vector<Running>& running) {
    std::vector<std::size_t> some;
    some.reserve(running.size());
    for (std::size_t i = 0; i < running.size(); ++i) {
        if (running[i].end == PipeEnd::Open) {
            some.push_back(i);
        }
    }
    return some;
}

// Ends one whose answer does not come, and notes what it was at.
void give_up(Running& one, const Job& job, JobResult& result) {
    const ProcessState state = process_state(one.pid);
    result.waits_at = state.waits_at;
    one.end = PipeEnd::Late;
    one.starved = is_starved(state, job.patience);
    one.at_work = state.runnable || !result.answer.empty();
    ::kill(one.pid, SIGKILL);
}

std::chrono::milliseconds first_deadline(const std::vector<Running>& running,
                                         const std::vector<std::size_t>& waiting) {
    auto first = std::chrono::milliseconds::max();
    for (const std::size_t i : waiting) {
        first = std::min(first, running[i].deadline.left());
    }
    return first;
}

// Takes what comes until one of those waited for is late, or all there is.
void take_answers(std::vector<Running>& running, const std::vector<std::size_t>& waiting,
                  std::vector<JobResult>& results) {
    std::vector<pollfd> pipes;
    pipes.reserve(waiting.size());
    for (const std::size_t i : waiting) {
        pipes.push_back({running[i].pipe.get(), POLLIN, 0});
    }
    const auto left = static_cast<int>(first_deadline(running, waiting).count());
    if (::poll(pipes.data(), pipes.size(), left) <= 0) {
        return;
    }
    for (std::size_t k = 0; k < pipes.size(); ++k) {
        Running& one = running[waiting[k]];
        if (pipes[k].revents != 0) {
            one.end = drain(one, results[waiting[k]].answer);
        }
        if (one.end == PipeEnd::TooMuch) {
            ::kill(one.pid, SIGKILL);
        }
    }
}

void collect(const std::vector<Job>& jobs, std::vector<Running>& running,
             std::vector<JobResult>& results) {
    for (auto waiting = unfinished(running); !waiting.empty(); waiting = unfinished(running)) {
        take_answers(running, waiting, results);
        for (const std::size_t i : unfinished(running)) {
            if (running[i].deadline.left().count() == 0) {
                give_up(running[i], jobs[i], results[i]);
            }
        }
    }
}

enum class Gone { Well, Badly, NotYet };

// Waits for a process that has ended, or was killed.
Gone reap(pid_t pid, const Deadline& deadline) {
    constexpr useconds_t kPause = 1000;
    for (;;) {
        int status = 0;
        const pid_t done = ::waitpid(pid, &status, WNOHANG);
        if (done == pid) {
            return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? Gone::Well : Gone::Badly;
        }
        if (done < 0 && errno == ECHILD) {
            return Gone::Well;
        }
        if (deadline.left().count() == 0) {
            return Gone::NotYet;
        }
        ::usleep(kPause);
    }
}

JobEnd end_of_late(const Running& one, Gone gone) {
    if (one.starved) {
        // Its end may wait for a processor too.
        return JobEnd::Busy;
    }
    if (gone == Gone::NotYet) {
        return JobEnd::HungInKernel;
    }
    return one.at_work ? JobEnd::Busy : JobEnd::Hung;
}

JobEnd end_of(const Running& one, JobResult& result, const Deadline& deadline) {
    if (one.pid < 0) {
        return JobEnd::NotStarted;
    }
    Gone gone = reap(one.pid, deadline);
    if (one.end == PipeEnd::Late) {
        return end_of_late(one, gone);
    }
    if (gone == Gone::NotYet) {
        // It gave its answer and does not go.
        ::kill(one.pid, SIGKILL);
        gone = reap(one.pid, Deadline{kAfterKill});
    }
    // Where it ended badly its last byte came there by chance.
    const bool whole = gone == Gone::Well && result.answer.ends_with('.');
    if (whole) {
        result.answer.pop_back();
    }
    return whole ? JobEnd::Answered : JobEnd::Broken;
}

}  // namespace

void StepBoard::now(std::string_view step) {
    const std::size_t length = std::min(step.size(), kLongest);
    std::memcpy(text_, step.data(), length);
    text_[length] = '\0';
}

std::string StepBoard::step() const {
    return {text_, ::strnlen(text_, kLongest)};
}

std::vector<JobResult> run_jobs(const std::vector<Job>& jobs) {
    const Boards boards{jobs.size()};
    std::vector<Running> running;
    std::vector<JobResult> results;
    running.reserve(jobs.size());
    results.reserve(jobs.size());
    for (std::size_t i = 0; i < jobs.size(); ++i) {
        // A page of zeros is an empty board.
        running.push_back(start(jobs[i], boards.of(i)));
        results.push_back({jobs[i].name, JobEnd::NotStarted, {}, {}, {}});
    }
    collect(jobs, running, results);
    // One moment for all: many that do not go cost no more than one.
    const Deadline going{kAfterKill};
    for (std::size_t i = 0; i < jobs.size(); ++i) {
        results[i].end = end_of(running[i], results[i], going);
        if (results[i].end != JobEnd::Answered) {
            results[i].answer.clear();
            results[i].step = boards.of(i).step();
        }
    }
    return results;
}

}  // namespace ferrule
