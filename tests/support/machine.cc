#include "tests/support/machine.h"

#include "fabric/archive/unpack.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <sstream>

#include <fcntl.h>
#include <unistd.h>

namespace ferrule::testing {

namespace fs = std::filesystem;

namespace {

void write_file(const fs::path& path, std::string_view content) {
    // Most files of an archive lie where their neighbour does.
    if (!fs::exists(path.parent_path())) {
        fs::create_directories(path.parent_path());
    }
    const int fd = ::open(path.c_str(), O_CREAT | O_TRUNC | O_WRONLY | O_CLOEXEC, 0644);
    if (fd < 0 || ::write(fd, content.data(), content.size()) < 0) {
        std::perror(path.c_str());
        std::abort();
    }
    ::close(fd);
}

}  // namespace

TemporaryDirectory::TemporaryDirectory() {
    // Trees have thousands of files, which memory makes in a tenth of the time.
    const fs::path memory = "/dev/shm";
    const bool usable = ::access(memory.c_str(), W_OK) == 0;
    std::string path =
        ((usable ? memory : fs::temp_directory_path()) / "ferrule-test-XXXXXX").string();
    if (::mkdtemp(path.data()) == nullptr) {
        std::perror("mkdtemp");
        std::abort();
    }
    path_ = path;
}

TemporaryDirectory::~TemporaryDirectory() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
}

void TemporaryDirectory::write(const std::string& name, std::string_view content) const {
    write_file(fs::path{path_} / name, content);
}

std::string slurp(const std::string& path) {
    const std::ifstream file{path, std::ios::binary};
    if (!file) {
        std::fprintf(stderr, "%s: cannot be read\n", path.c_str());
        std::abort();
    }
    std::ostringstream content;
    content << file.rdbuf();
    return content.str();
}

const std::string& machine_tree(const std::string& name) {
    static std::map<std::string, std::unique_ptr<TemporaryDirectory>> trees;
    auto& tree = trees[name];
    if (!tree) {
        tree = std::make_unique<TemporaryDirectory>();
        const auto done = unpack_archive(FERRULE_MACHINES "/" + name + ".machine", tree->path());
        if (!done) {
            std::fprintf(stderr, "%s\n", done.error().text.c_str());
            std::abort();
        }
    }
    return tree->path();
}

std::vector<std::string> machine_names() {
    std::vector<std::string> names;
    for (const auto& file : fs::directory_iterator{FERRULE_MACHINES}) {
        if (file.path().extension() == ".machine") {
            names.push_back(file.path().stem().string());
        }
    }
    std::ranges::sort(names);
    return names;
}

}  // namespace ferrule::testing
