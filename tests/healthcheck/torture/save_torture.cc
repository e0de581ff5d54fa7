// Loads, advances and saves a history in processes that are killed at any microsecond. The file is
// always whole and never older than one that was there before; descriptors and memory do not grow.
//
//     save_torture --runs 10000 [--seed N]
#include "fabric/check/growth.h"
#include "fabric/state/history_text.h"
#include "fabric/state/state_dir.h"
#include "tests/healthcheck/torture/torture.h"
#include "tests/support/machine.h"
#include "tests/support/state.h"

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <fstream>

#include <sys/wait.h>
#include <unistd.h>

using namespace ferrule;
using namespace ferrule::testing;

namespace fs = std::filesystem;

namespace {

constexpr const char* kName = "health.history";
constexpr std::size_t kLimit = 1U << 20U;
#if defined(__has_feature)
constexpr bool kSanitized = __has_feature(address_sanitizer);
#else
constexpr bool kSanitized = false;
#endif
constexpr std::uint64_t kLongestMicroseconds = 20'000;

NodeSnapshot node_at(std::uint64_t second) {
    NodeSnapshot snapshot{};
    snapshot.rdma_class = true;
    snapshot.host.boot_id = "boot";
    snapshot.host.uptime_ms = second * 1000;
    for (int i = 0; i < 2; ++i) {
        snapshot.hcas.push_back(
            infiniband("mlx5_" + std::to_string(i), "0000:1" + std::to_string(i) + ":00.0"));
        snapshot.hcas.back().ports[0].counters =
            Counters{{"symbol_error", second * 3}, {"port_rcv_errors", second}};
    }
    return snapshot;
}

// One second of the node's life; false where its memory did not read.
bool advance_once(const std::string& path) {
    auto dir = StateDir::open(path);
    if (!dir || !dir->lock().value_or(false)) {
        return false;
    }
    const auto content = dir->load(kName, kLimit);
    const bool none = !content && content.error().code == std::errc::no_such_file_or_directory;
    const auto before = none ? Result<History>{History{}}
                             : content.and_then([](const auto& it) { return parse_history(it); });
    if (!before) {
        return false;
    }
    const NodeSnapshot snapshot = node_at(before->uptime_ms / 1000 + 1);
    const History after =
        advance(*before, snapshot, followed_counters(snapshot, scope_of(snapshot, {})));
    return dir->save(kName, to_text(after)).has_value();
}

std::uint64_t seconds_saved(const std::string& path) {
    const auto history = parse_history(slurp(path + "/" + kName));
    return history ? history->uptime_ms / 1000 : 0;
}

std::size_t open_descriptors() {
    return static_cast<std::size_t>(
        std::distance(fs::directory_iterator{"/proc/self/fd"}, fs::directory_iterator{}));
}

std::uint64_t resident_pages() {
    std::uint64_t size = 0;
    std::uint64_t resident = 0;
    std::ifstream{"/proc/self/statm"} >> size >> resident;
    return resident;
}

void advance_until_killed(const std::string& path, std::uint64_t microseconds) {
    const pid_t pid = ::fork();
    if (pid == 0) {
        while (advance_once(path)) {
        }
        ::_exit(EXIT_FAILURE);
    }
    ::usleep(static_cast<useconds_t>(microseconds));
    ::kill(pid, SIGKILL);
    ::waitpid(pid, nullptr, 0);
}

}  // namespace

int main(int argc, char** argv) {
    const TortureOptions options = torture_options(argc, argv);
    const DiskFolder folder;
    Chance chance{options.seed};
    Judge judge{options.seed};
    judge.demand(advance_once(folder.path()), "the first save fails");
    // The allocator has its fill after some rounds.
    const std::uint64_t warm = std::min<std::uint64_t>(options.runs / 2, 200);
    std::size_t descriptors = 0;
    std::uint64_t pages = 0;
    std::uint64_t seconds = 1;
    std::uint64_t unfinished = 0;
    for (std::uint64_t i = 0; i < options.runs; ++i) {
        judge.next_run();
        advance_until_killed(folder.path(), chance.between(0, kLongestMicroseconds));
        unfinished += fs::exists(folder.path() + "/" + kName + ".new") ? 1U : 0U;
        judge.demand(seconds_saved(folder.path()) >= seconds, "the history is lost or older");
        judge.demand(advance_once(folder.path()), "the history does not go on");
        seconds = seconds_saved(folder.path());
        judge.demand(std::distance(fs::directory_iterator{folder.path()}, {}) <= 2,
                     "a file is left behind");
        if (i == warm) {
            descriptors = open_descriptors();
            pages = resident_pages();
        }
    }
    // A sanitizer keeps what was freed, and finds leaks itself.
    constexpr std::uint64_t kMostPages = kSanitized ? std::uint64_t{1} << 20U : 256;
    judge.demand(open_descriptors() == descriptors, "descriptors grow");
    judge.demand(resident_pages() <= pages + kMostPages, "memory grows");
    std::cout << options.runs << " kills, " << seconds << " saves, " << unfinished
              << " unfinished files; " << pages << " pages resident at first, " << resident_pages()
              << " at last, " << descriptors << " descriptors" << std::endl;
    return EXIT_SUCCESS;
}
