// Work in processes of its own: whatever one piece does, the others answer, and nobody waits longer
// than the deadline.
#include "fabric/isolate/children.h"

#include "tests/support/catch.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <sched.h>
#include <stdexcept>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace ferrule;
using namespace std::chrono_literals;

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t kMebibyte = 1U << 20U;

Job answering(std::string answer) {
    return {"answers", [answer](StepBoard&) { return answer; }, 60s};
}

struct Misdeed {
    const char* name;
    std::string (*work)(StepBoard&);
    JobEnd end;
    // Long where the end comes by itself, since the machine may be busy.
    std::chrono::milliseconds patience{60'000};
};

std::string hang(StepBoard& board) {
    board.now("the file that hangs");
    for (;;) {
        ::pause();
    }
}

std::string crash(StepBoard& board) {
    board.now("the bad pointer");
    ::signal(SIGSEGV, SIG_DFL);
    ::raise(SIGSEGV);
    return "never";
}

std::string throw_exception(StepBoard&) {
    throw std::runtime_error{"no such thing"};
}

std::string throw_number(StepBoard&) {
    throw 42;  // NOLINT(hicpp-exception-baseclass): what no library should do
}

std::string leave_early(StepBoard&) {
    ::_exit(0);
}

std::string answer_20_mebibytes(StepBoard&) {
    return std::string(20 * kMebibyte, 'x');
}

// A timer ends it in the middle of its answer, each byte of which looks like an end.
std::string die_while_answering(StepBoard&) {
    ::signal(SIGALRM, SIG_DFL);
    ::ualarm(1000, 0);
    return std::string(15 * kMebibyte, '.');
}

// All that do so share one processor.
[[noreturn]] void spin_on_one_processor() {
    cpu_set_t allowed;
    ::sched_getaffinity(0, sizeof allowed, &allowed);
    std::size_t cpu = 0;
    while (!CPU_ISSET(cpu, &allowed)) {
        ++cpu;
    }
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(cpu, &one);
    ::sched_setaffinity(0, sizeof one, &one);
    for (volatile bool busy = true; busy;) {
    }
    std::abort();
}

std::string spin(StepBoard&) {
    spin_on_one_processor();
}

// Of lower weight than all others, as a reader is on a node whose job has every processor.
std::string spin_behind_all(StepBoard& board) {
    board.now("the first file");
    const sched_param none{};
    ::sched_setscheduler(0, SCHED_IDLE, &none);
    spin_on_one_processor();
}

const Misdeed kMisdeeds[] = {
    {"hangs", hang, JobEnd::Hung, 1s},
    {"crashes", crash, JobEnd::Broken},
    {"throws an exception", throw_exception, JobEnd::Broken},
    {"throws a number", throw_number, JobEnd::Broken},
    {"leaves early", leave_early, JobEnd::Broken},
    {"answers 20 MiB", answer_20_mebibytes, JobEnd::Broken},
};

bool has_child() {
    return ::waitpid(-1, nullptr, WNOHANG) >= 0 || errno != ECHILD;
}

std::vector<Job> hanging(std::size_t count) {
    return std::vector<Job>(count, Job{"hangs", hang, 300ms});
}

}  // namespace

TEST_CASE("answers come back whole and in the order of the jobs") {
    const std::string binary("\0.\n.\xff", 5);
    const std::string large(3 * kMebibyte, 'x');
    const std::vector<Job> jobs{answering(binary), answering(""), answering(large)};

    const auto results = run_jobs(jobs);

    REQUIRE(results.size() == 3);
    CHECK(results[0].end == JobEnd::Answered);
    CHECK(results[0].answer == binary);
    CHECK(results[1].end == JobEnd::Answered);
    CHECK(results[1].answer.empty());
    CHECK(results[2].answer == large);
    CHECK(results[2].step.empty());
}

TEST_CASE("no job is no result") {
    CHECK(run_jobs({}).empty());
}

TEST_CASE("one that misbehaves is told apart, and the others answer") {
    const Misdeed& misdeed = GENERATE(from_range(std::begin(kMisdeeds), std::end(kMisdeeds)));
    INFO(misdeed.name);
    const std::vector<Job> jobs{
        answering("before"), {misdeed.name, misdeed.work, misdeed.patience}, answering("behind")};

    const auto results = run_jobs(jobs);

    REQUIRE(results.size() == 3);
    CHECK(results[0].answer == "before");
    CHECK(results[2].answer == "behind");
    CHECK(results[1].name == misdeed.name);
    CHECK(results[1].end == misdeed.end);
    CHECK(results[1].answer.empty());
    CHECK_FALSE(has_child());
}

TEST_CASE("one that hangs or crashes says where") {
    const auto results = run_jobs({{"hangs", hang, 300ms}, {"crashes", crash, 10s}});

    CHECK(results[0].step == "the file that hangs");
    CHECK(results[1].step == "the bad pointer");
}

TEST_CASE("one that is at work or has no processor is no device that hangs") {
    const auto results =
        run_jobs({{"spins", spin, 1s}, {"waits", spin_behind_all, 1s}, {"hangs", hang, 1s}});

    CHECK(results[0].end == JobEnd::Busy);
    CHECK(results[1].end == JobEnd::Busy);
    CHECK(results[1].step == "the first file");
    CHECK(results[2].end == JobEnd::Hung);
}

TEST_CASE("one that was answering when its time was over does not hang") {
    const auto answer_and_hang = [](StepBoard&) {
        ::usleep(400'000);
        return std::string(20 * kMebibyte, 'x');
    };
    // Whoever reads is stopped while the answer comes.
    const pid_t reader = ::fork();
    if (reader == 0) {
        const auto results = run_jobs({{"answers", answer_and_hang, 900ms}});
        ::_exit(results[0].end == JobEnd::Busy || results[0].end == JobEnd::Broken ? 0 : 1);
    }
    ::usleep(200'000);
    ::kill(reader, SIGSTOP);
    ::usleep(1'200'000);
    ::kill(reader, SIGCONT);
    int status = 0;
    ::waitpid(reader, &status, 0);
    CHECK((WIFEXITED(status) && WEXITSTATUS(status) == 0));
}

TEST_CASE("each has its own patience") {
    const auto late = [](StepBoard&) {
        ::usleep(600'000);
        return std::string{"late"};
    };

    const auto results =
        run_jobs({{"slow", late, 60s}, {"hangs", hang, 200ms}, {"hasty", late, 200ms}});

    CHECK(results[0].answer == "late");
    CHECK(results[1].end == JobEnd::Hung);
    CHECK(results[2].end == JobEnd::Hung);
}

TEST_CASE("a part of an answer is no answer") {
    const auto results = run_jobs({{"dies", die_while_answering, 10s}});

    const bool whole = results[0].answer.size() == 15 * kMebibyte;
    CHECK((results[0].end == JobEnd::Broken || whole));
    CHECK((results[0].end == JobEnd::Answered || results[0].answer.empty()));
}

TEST_CASE("all that hang cost one deadline together") {
    const auto start = Clock::now();

    const auto results = run_jobs(hanging(40));

    const auto took = Clock::now() - start;
    // On a busy machine some have not even begun.
    CHECK(std::ranges::all_of(results, [](const JobResult& it) {
        return it.end == JobEnd::Hung || it.end == JobEnd::Busy;
    }));
    CHECK(took >= 300ms);
    CHECK(took < 20s);
    CHECK_FALSE(has_child());
}

TEST_CASE("jobs that answer at once do not wait for the deadline") {
    const auto start = Clock::now();

    const auto results = run_jobs({answering("a"), answering("b")});

    CHECK(results[1].answer == "b");
    CHECK(Clock::now() - start < 30s);
}

TEST_CASE("a hundred runs leave no descriptor open") {
    const int before = ::dup(STDERR_FILENO);
    ::close(before);

    for (int i = 0; i < 100; ++i) {
        static_cast<void>(run_jobs({answering("a"), {"leaves", leave_early, 10s}}));
    }

    const int after = ::dup(STDERR_FILENO);
    ::close(after);
    CHECK(after == before);
}

TEST_CASE("one that hangs holds no file of the parent's open") {
    std::array<int, 2> ends{};
    REQUIRE(::pipe(ends.data()) == 0);
    const auto listing = [file = ends[1]](StepBoard&) {
        const bool none = ::fcntl(file, F_GETFD) < 0;
        const bool silent = ::write(STDOUT_FILENO, "said", 4) == 4;
        return std::string{none && silent ? "none" : "some"};
    };

    const auto results = run_jobs({{"lists", listing, 10s}});

    CHECK(results[0].answer == "none");
    ::close(ends[0]);
    ::close(ends[1]);
}

TEST_CASE("where one waits in the kernel is told where the kernel tells it") {
    const auto results = run_jobs({{"hangs", hang, 300ms}, answering("a")});

    // Some kernels hide it.
    const std::string& place = results[0].waits_at;
    CHECK((place.empty() || place.find("pause") != std::string::npos));
    CHECK(results[1].waits_at.empty());
}

TEST_CASE("a step is kept, and cut where it is too long") {
    StepBoard board{};
    CHECK(board.step().empty());
    board.now("sysfs of mlx5_0");
    CHECK(board.step() == "sysfs of mlx5_0");
    board.now("x");
    CHECK(board.step() == "x");
    board.now(std::string(500, 'y'));
    CHECK(board.step() == std::string(StepBoard::kLongest, 'y'));
}
