// Starts ferrule-healthcheck on a small machine and kills it at any moment, while counters grow and
// clocks jump. After each kill the history is the old one or the new one, what grew is in it at the
// latest with the next whole run, and neither a process nor a file is left behind.
//
//     health_torture --program build/dev/bin/ferrule-healthcheck --runs 10000 [--seed N]
#include "fabric/state/history_text.h"
#include "tests/healthcheck/torture/torture.h"
#include "tests/support/machine.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace ferrule;
using namespace ferrule::testing;

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

namespace {

constexpr const char* kCounter =
    "sys/class/infiniband/mlx5_0/ports/1/hw_counters/local_ack_timeout_err";
constexpr const char* kKey = "mlx5_0/1 hw_counters/local_ack_timeout_err";
constexpr std::uint64_t kShortestMicroseconds = 60'000;
constexpr std::uint64_t kLongestBootMs = 20ULL * 3600 * 1000;
constexpr std::size_t kLargestHistory = 1U << 20U;

// One InfiniBand rail, and no more of a node than a run needs.
constexpr std::pair<const char*, const char*> kTree[]{
    {"proc/sys/kernel/hostname", "n1\n"},
    {"proc/sys/kernel/random/boot_id", "\n"},
    {"proc/uptime", "\n"},
    {"dev/infiniband/uverbs0", ""},
    {"sys/class/infiniband_verbs/uverbs0/ibdev", "mlx5_0\n"},
    {"sys/class/infiniband/mlx5_0/node_type", "1: CA\n"},
    {"sys/class/infiniband/mlx5_0/node_guid", "0c42:a103:0000:0001\n"},
    {"sys/class/infiniband/mlx5_0/ports/1/state", "4: ACTIVE\n"},
    {"sys/class/infiniband/mlx5_0/ports/1/phys_state", "5: LinkUp\n"},
    {"sys/class/infiniband/mlx5_0/ports/1/link_layer", "InfiniBand\n"},
    {"sys/class/infiniband/mlx5_0/ports/1/rate", "400 Gb/sec (4X NDR)\n"},
    {"sys/class/infiniband/mlx5_0/ports/1/lid", "0x11\n"},
    {"sys/class/infiniband/mlx5_0/ports/1/sm_lid", "0x1\n"},
    {"sys/class/infiniband/mlx5_0/ports/1/pkeys/0", "0xffff\n"},
    {"sys/class/infiniband/mlx5_0/ports/1/counters/symbol_error", "7\n"},
    {kCounter, "\n"},
};

void write_over(const std::string& path, const std::string& content) {
    std::ofstream{path, std::ios::binary | std::ios::trunc} << content;
}

// What a counter of the tree, the boot and its clock are at the moment.
struct Moment {
    std::uint64_t counter{0};
    std::uint64_t boot{1};
    std::uint64_t uptime_ms{1000};
};

// A machine that moves on between runs.
class Node {
  public:
    Node() {
        for (const auto& [name, content] : kTree) {
            tree_.write(name, content);
        }
        write();
    }

    void move_on(Chance& chance) {
        now_.counter = chance.one_in(20) ? chance.between(0, now_.counter)
                                         : now_.counter + chance.between(0, 1000);
        if (chance.one_in(10) || now_.uptime_ms > kLongestBootMs) {
            ++now_.boot;
            now_.uptime_ms = chance.between(1, 200'000);
        } else if (chance.one_in(10)) {
            now_.uptime_ms = chance.between(1, now_.uptime_ms);
        } else if (!chance.one_in(10)) {
            now_.uptime_ms += chance.between(1, 120'000);
        }
        write();
    }

    [[nodiscard]] const Moment& now() const { return now_; }

    [[nodiscard]] const std::string& tree() const { return tree_.path(); }

  private:
    void write() {
        // Centiseconds, as the kernel has it.
        now_.uptime_ms -= now_.uptime_ms % 10;
        const std::string rest = std::to_string(now_.uptime_ms % 1000 / 10);
        write_over(tree() + "/proc/uptime", std::to_string(now_.uptime_ms / 1000) + "." +
                                                (rest.size() < 2 ? "0" : "") + rest + " 0.00\n");
        write_over(tree() + "/proc/sys/kernel/random/boot_id",
                   "boot-" + std::to_string(now_.boot) + "\n");
        write_over(tree() + "/" + kCounter, std::to_string(now_.counter) + "\n");
    }

    TemporaryDirectory tree_{};
    Moment now_{};
};

struct Memory {
    std::string boot_id{};
    std::uint64_t uptime_ms{0};
    std::uint64_t last{0};
    std::uint64_t events{0};

    bool operator==(const Memory&) const = default;
};

// What a run makes of the memory before it.
Memory expected(const std::optional<Memory>& before, const Moment& now) {
    const std::string boot_id = "boot-" + std::to_string(now.boot);
    Memory after{boot_id, now.uptime_ms, now.counter, 0};
    if (before && before->boot_id == boot_id && before->uptime_ms <= now.uptime_ms) {
        after.events = before->events + now.counter - std::min(before->last, now.counter);
    }
    return after;
}

std::optional<Memory> memory_of(const std::string& file, const std::string& key,
                                const Judge& judge) {
    if (!fs::exists(file)) {
        return std::nullopt;
    }
    judge.demand(fs::file_size(file) < kLargestHistory, "the history is too large");
    const auto history = parse_history(slurp(file));
    judge.demand(history.has_value(), "the history does not read");
    const auto track = history->counters.find(key);
    judge.demand(track != history->counters.end(), "the counter is not in the history");
    Memory memory{history->boot_id, history->uptime_ms, track->second.last, 0};
    for (const Increment& it : track->second.increments) {
        memory.events += it.events;
    }
    return memory;
}

// A run in a process group of its own, its complaints in a file.
class Run {
  public:
    Run(const std::vector<std::string>& words, const std::string& complaints) : pid_{::fork()} {
        if (pid_ == 0) {
            ::setpgid(0, 0);
            const int null = ::open("/dev/null", O_WRONLY | O_CLOEXEC);
            const int errors = ::open(complaints.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
            ::dup2(null, STDOUT_FILENO);
            ::dup2(errors, STDERR_FILENO);
            std::vector<char*> argv;
            argv.reserve(words.size() + 1);
            for (const std::string& word : words) {
                argv.push_back(const_cast<char*>(word.c_str()));
            }
            argv.push_back(nullptr);
            ::execv(argv[0], argv.data());
            ::_exit(127);
        }
        ::setpgid(pid_, pid_);
    }

    void kill_all() const { ::kill(-pid_, SIGKILL); }

    void kill_alone() const { ::kill(pid_, SIGKILL); }

    // The exit status; nothing for one that was killed.
    [[nodiscard]] std::optional<int> wait() const {
        int status = 0;
        ::waitpid(pid_, &status, 0);
        return WIFEXITED(status) ? std::optional{WEXITSTATUS(status)} : std::nullopt;
    }

  private:
    pid_t pid_;
};

// Orphans come to this process. A moment later there is none.
bool all_are_gone() {
    const auto end = Clock::now() + std::chrono::seconds{5};
    while (Clock::now() < end) {
        const pid_t gone = ::waitpid(-1, nullptr, WNOHANG);
        if (gone < 0 && errno == ECHILD) {
            return true;
        }
        if (gone == 0) {
            ::usleep(500);
        }
    }
    return false;
}

struct Figures {
    std::uint64_t whole{0};
    std::uint64_t killed{0};
    std::uint64_t remembered_though_killed{0};
    std::uint64_t unfinished_files{0};
    std::uint64_t events{0};
};

class Torture {
  public:
    explicit Torture(const TortureOptions& options)
        : chance_{options.seed},
          judge_{options.seed},
          state_{disk_.path() + "/state"},
          command_{options.program,
                   "--sysroot",
                   node_.tree(),
                   "--state-dir",
                   state_,
                   "--config",
                   scratch_.path() + "/none.conf",
                   "--timeout",
                   "60",
                   "--device-timeout",
                   "30"} {
        scratch_.write("none.conf", "");
    }

    void one_run() {
        judge_.next_run();
        node_.move_on(chance_);
        // The first tells how long one takes.
        const auto status = !memory_ || chance_.one_in(8) ? run_whole() : run_and_kill();
        judge_.demand(all_are_gone(), "a process is left behind");
        check_files();
        check_memory(status);
    }

    [[nodiscard]] const Figures& figures() const { return figures_; }

  private:
    std::optional<int> run_whole() {
        const auto start = Clock::now();
        const auto status = Run{command_, complaints_}.wait();
        const auto took =
            std::chrono::duration_cast<std::chrono::microseconds>(Clock::now() - start);
        longest_ = std::max(kShortestMicroseconds, static_cast<std::uint64_t>(took.count()));
        judge_.demand(status.has_value() && *status <= 2, "a whole run has no verdict");
        judge_.demand(slurp(complaints_).empty(), "a whole run complains: " + slurp(complaints_));
        return status;
    }

    // At any moment of its life, or where it is about to put the new history in place.
    std::optional<int> run_and_kill() {
        const Run run{command_, complaints_};
        if (chance_.one_in(3)) {
            await_unfinished_file();
            ::usleep(static_cast<useconds_t>(chance_.between(0, 300)));
        } else {
            ::usleep(static_cast<useconds_t>(chance_.between(0, longest_)));
        }
        if (chance_.one_in(3)) {
            run.kill_alone();
        } else {
            run.kill_all();
        }
        return run.wait();
    }

    void await_unfinished_file() const {
        const std::string file = state_ + "/health.history.new";
        const auto end = Clock::now() + 2 * std::chrono::microseconds{longest_};
        while (::access(file.c_str(), F_OK) != 0 && Clock::now() < end) {
            ::usleep(20);
        }
    }

    void check_files() {
        const std::set<std::string> known{"lock", "health.history", "health.history.new"};
        if (!fs::exists(state_)) {
            return;
        }
        for (const auto& file : fs::directory_iterator{state_}) {
            const std::string name = file.path().filename().string();
            judge_.demand(known.contains(name), "a file is left behind: " + name);
            figures_.unfinished_files += name == "health.history.new" ? 1U : 0U;
        }
    }

    void check_memory(const std::optional<int>& status) {
        const auto memory = memory_of(state_ + "/health.history", kKey, judge_);
        const Memory fresh = expected(memory_, node_.now());
        const bool recorded = memory == std::optional{fresh};
        judge_.demand(recorded || memory == memory_, "the history is neither the old nor the new");
        judge_.demand(recorded || !status, "a whole run is not remembered");
        (status ? figures_.whole : figures_.killed) += 1;
        figures_.remembered_though_killed += recorded && !status ? 1U : 0U;
        figures_.events += recorded && fresh.events > 0 && memory_ ? 1U : 0U;
        memory_ = memory;
    }

    TemporaryDirectory scratch_{};
    DiskFolder disk_{};
    Chance chance_;
    Judge judge_;
    Node node_{};
    std::string state_;
    std::vector<std::string> command_;
    std::string complaints_{scratch_.path() + "/complaints"};
    std::optional<Memory> memory_{};
    // How long a whole run took last.
    std::uint64_t longest_{kShortestMicroseconds};
    Figures figures_{};
};

}  // namespace

int main(int argc, char** argv) {
    const TortureOptions options = torture_options(argc, argv);
    ::prctl(PR_SET_CHILD_SUBREAPER, 1);
    Torture torture{options};
    for (std::uint64_t i = 0; i < options.runs; ++i) {
        torture.one_run();
    }
    const Figures& it = torture.figures();
    std::cout << it.whole << " whole runs, " << it.killed << " killed, of which "
              << it.remembered_though_killed << " had been remembered; " << it.unfinished_files
              << " times an unfinished file stood by, " << it.events
              << " memories with growth were as worked out" << std::endl;
    return EXIT_SUCCESS;
}
