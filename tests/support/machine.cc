#include "tests/support/machine.h"

#include "fabric/base/text.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <optional>
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

struct Entry {
    std::string_view path{};
    std::string_view mark{};
    std::string_view rest{};
};

// "path = text", "path -> target", "path <<" or "path/".
std::optional<Entry> parse_entry(std::string_view line) {
    if (line.ends_with('/')) {
        return Entry{line.substr(0, line.size() - 1), "/", {}};
    }
    const std::size_t blank = line.find(' ');
    if (blank == std::string_view::npos) {
        return std::nullopt;
    }
    const std::string_view behind = line.substr(blank + 1);
    for (const std::string_view mark : {"=", "->", "<<"}) {
        if (behind == mark || behind.starts_with(std::string{mark} + " ")) {
            return Entry{line.substr(0, blank), mark,
                         behind.substr(std::min(behind.size(), mark.size() + 1))};
        }
    }
    return std::nullopt;
}

// "gids/{4..255}" as gids/4 to gids/255.
std::vector<std::string> expand(std::string_view path) {
    const std::size_t open = path.find("/{");
    if (open == std::string_view::npos) {
        return {std::string{path}};
    }
    const std::string_view range = path.substr(open + 2, path.size() - open - 3);
    const std::size_t dots = range.find("..");
    const auto first = parse_number<unsigned>(range.substr(0, dots));
    const auto last = parse_number<unsigned>(range.substr(dots + 2));
    std::vector<std::string> paths;
    for (unsigned i = first.value(); i <= last.value(); ++i) {
        paths.push_back(std::string{path.substr(0, open + 1)} + std::to_string(i));
    }
    return paths;
}

void unpack_entry(const Entry& entry, const std::string& block, const fs::path& root) {
    const fs::path path = root / entry.path;
    if (entry.mark == "/") {
        fs::create_directories(path);
    } else if (entry.mark == "->") {
        fs::create_directories(path.parent_path());
        fs::create_symlink(entry.rest, path);
    } else if (entry.mark == "<<") {
        write_file(path, block);
    } else {
        const std::string content = entry.rest.empty() ? "" : std::string{entry.rest} + "\n";
        for (const std::string& name : expand(entry.path)) {
            write_file(root / name, content);
        }
    }
}

}  // namespace

Result<void> unpack_machine(std::string_view archive, const std::string& directory) {
    const auto lines = split(archive, '\n');
    for (std::size_t i = 0; i < lines.size(); ++i) {
        if (lines[i].empty() || lines[i].starts_with('#')) {
            continue;
        }
        const auto entry = parse_entry(lines[i]);
        if (!entry || entry->path.starts_with('/') || entry->path.find("..") == 0) {
            return fail(std::errc::invalid_argument,
                        "line " + std::to_string(i + 1) + ": not an entry of a machine archive");
        }
        std::string block;
        while (entry->mark == "<<" && i + 1 < lines.size() && lines[i + 1].starts_with('|')) {
            block += std::string{lines[++i].substr(1)} + "\n";
        }
        unpack_entry(*entry, block, directory);
    }
    return {};
}

TemporaryDirectory::TemporaryDirectory() {
    std::string path = (fs::temp_directory_path() / "ferrule-test-XXXXXX").string();
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
        const auto done =
            unpack_machine(slurp(FERRULE_MACHINES "/" + name + ".machine"), tree->path());
        if (!done) {
            std::fprintf(stderr, "%s: %s\n", name.c_str(), done.error().text.c_str());
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
