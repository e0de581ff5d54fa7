// bench_read_node TREE FILES: a full read_node of the tree against bare loops that open, read and
// close the same files (one path a line in FILES, relative to TREE), taking turns in one run.
// Prints medians and ratios.
//
// There are two bare loops: one with a whole path for each file, as any script would, and one that
// keeps the directory open and so spares the kernel the way to it, which is the least that can be
// done.
#include "fabric/policy/environment.h"
#include "fabric/read/node.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <map>
#include <string>
#include <vector>

#include <fcntl.h>
#include <unistd.h>

namespace {

using namespace ferrule;
using Clock = std::chrono::steady_clock;

constexpr int kRounds = 41;

struct File {
    std::string path{};
    std::string directory{};
    std::string name{};
};

std::vector<File> read_list(const std::string& tree, const char* list) {
    std::vector<File> files;
    std::ifstream lines{list};
    for (std::string line; std::getline(lines, line);) {
        const std::string path = tree + "/" + line;
        const std::size_t slash = path.rfind('/');
        files.push_back({path, path.substr(0, slash), path.substr(slash + 1)});
    }
    return files;
}

void read_and_close(int fd) {
    std::array<char, 4096> buffer;  // NOLINT(*-member-init): filled by read
    if (fd < 0 || ::read(fd, buffer.data(), buffer.size()) < 0) {
        std::perror("bare loop");
        std::exit(EXIT_FAILURE);
    }
    ::close(fd);
}

void by_whole_path(const std::vector<File>& files) {
    for (const File& file : files) {
        read_and_close(::open(file.path.c_str(), O_RDONLY | O_CLOEXEC));
    }
}

void by_directory(const std::vector<File>& files) {
    std::string open_directory;
    int directory = -1;
    for (const File& file : files) {
        if (file.directory != open_directory) {
            ::close(directory);
            directory = ::open(file.directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
            open_directory = file.directory;
        }
        read_and_close(::openat(directory, file.name.c_str(), O_RDONLY | O_CLOEXEC));
    }
    ::close(directory);
}

NodeSnapshot read_tree(const std::string& tree, Depth depth) {
    ReadRequest request{};
    request.depth = depth;
    request.pkeys = depth == Depth::Full;
    auto snapshot = read_node(tree, Source::Captured, request);
    if (!snapshot) {
        std::fprintf(stderr, "%s\n", snapshot.error().text.c_str());
        std::exit(EXIT_FAILURE);
    }
    return std::move(*snapshot);
}

template <typename Work>
double milliseconds(Work work) {
    const auto began = Clock::now();
    work();
    return std::chrono::duration<double, std::milli>(Clock::now() - began).count();
}

double median(std::vector<double> values) {
    std::ranges::sort(values);
    return values[values.size() / 2];
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 3) {
        std::fputs("usage: bench_read_node TREE FILES\n", stderr);
        return 2;
    }
    const std::string tree = argv[1];
    const std::vector<File> files = read_list(tree, argv[2]);
    std::map<std::string, std::vector<double>> times;
    for (int round = 0; round < kRounds; ++round) {
        times["read_node"].push_back(milliseconds([&] { (void)read_tree(tree, Depth::Full); }));
        times["whole paths"].push_back(milliseconds([&] { by_whole_path(files); }));
        times["by directory"].push_back(milliseconds([&] { by_directory(files); }));
        times["plan"].push_back(
            milliseconds([&] { (void)plan_environment(read_tree(tree, Depth::Plan), {}, {}); }));
    }
    const double full = median(times["read_node"]);
    const double whole = median(times["whole paths"]);
    const double directory = median(times["by directory"]);
    std::printf("files read:                          %zu\n", files.size());
    std::printf("read_node, everything:               %.2f ms\n", full);
    std::printf("bare loop with whole paths:          %.2f ms, ratio %.2f\n", whole, full / whole);
    std::printf("bare loop from open directories:     %.2f ms, ratio %.2f\n", directory,
                full / directory);
    std::printf("read and plan as the plugin does:    %.2f ms\n", median(times["plan"]));
    return EXIT_SUCCESS;
}
