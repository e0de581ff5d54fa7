#include "fabric/isolate/children.h"

#include "fabric/base/fd.h"
#include "fabric/read/dir.h"

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
enum class PipeEnd { Open, Closed, TooMuch };

struct Running {
    pid_t pid{-1};
    Fd pipe{};
    PipeEnd end{PipeEnd::Closed};
};

void write_whole(int fd, std::string_view bytes) {
    while (!bytes.empty()) {
        const ssize_t done = ::write(fd, bytes.data(), bytes.size());
        if (done < 0 && errno != EINTR) {
            return;
        }
        bytes.remove_prefix(done > 0 ? static_cast<std::size_t>(done) : 0);
    }
}

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
    pid_t parent{-1};
    int pipe{-1};
};

// Never returns. The last byte says that the answer is whole.
[[noreturn]] void be_child(const Job& job, StepBoard& board, const ForChild& given) {
    constexpr int kBroken = 1;
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (::getppid() != given.parent) {
        // It went before the line above took effect.
        ::_exit(kBroken);
    }
    let_go_of_files(given.pipe);
    int status = kBroken;
    try {
        std::string answer = job.work(board);
        answer += '.';
        write_whole(given.pipe, answer);
        status = 0;
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
    const ForChild given{::getpid(), write_end.get()};
    const pid_t pid = ::fork();
    if (pid == 0) {
        be_child(job, board, given);
    }
    return pid < 0 ? Running{} : Running{pid, std::move(read_end), PipeEnd::Open};
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

void collect(std::vector<Running>& running, std::vector<JobResult>& results,
             const Deadline& deadline) {
    for (auto waiting = unfinished(running); !waiting.empty(); waiting = unfinished(running)) {
        std::vector<pollfd> pipes;
        pipes.reserve(waiting.size());
        for (const std::size_t i : waiting) {
            pipes.push_back({running[i].pipe.get(), POLLIN, 0});
        }
        const auto left = static_cast<int>(deadline.left().count());
        if (left == 0 || (::poll(pipes.data(), pipes.size(), left) < 0 && errno != EINTR)) {
            return;
        }
        for (std::size_t k = 0; k < pipes.size(); ++k) {
            if (pipes[k].revents != 0) {
                running[waiting[k]].end = drain(running[waiting[k]], results[waiting[k]].answer);
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

JobEnd end_of(const Running& one, JobResult& result, const Deadline& deadline) {
    if (one.pid < 0) {
        return JobEnd::NotStarted;
    }
    Gone gone = reap(one.pid, deadline);
    if (one.end == PipeEnd::Open) {
        return gone == Gone::NotYet ? JobEnd::HungInKernel : JobEnd::Hung;
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

// Where a process waits in the kernel. Source: proc(5), wchan: "0" where it does not wait.
std::string wait_channel(pid_t pid) {
    const auto proc = Dir::open("/proc");
    auto at = proc ? proc->attribute((std::to_string(pid) + "/wchan").c_str())
                   : tl::unexpected{proc.error()};
    return at && *at != "0" ? std::move(*at) : std::string{};
}

// Those that say nothing by the deadline, or more than they may.
void kill_late(const std::vector<Running>& running, std::vector<JobResult>& results) {
    for (std::size_t i = 0; i < running.size(); ++i) {
        if (running[i].pid > 0 && running[i].end != PipeEnd::Closed) {
            results[i].waits_at = wait_channel(running[i].pid);
            ::kill(running[i].pid, SIGKILL);
        }
    }
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

std::vector<JobResult> run_jobs(const std::vector<Job>& jobs, const Deadline& deadline) {
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
    collect(running, results, deadline);
    kill_late(running, results);
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
