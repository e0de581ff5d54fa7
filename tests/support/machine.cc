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

// "path = text", "path -> target", "path <<", "path -" or "path/".
std::optional<Entry> parse_entry(std::string_view line) {
    if (line.ends_with('/')) {
        return Entry{line.substr(0, line.size() - 1), "/", {}};
    }
    const std::size_t blank = line.find(' ');
    if (blank == std::string_view::npos) {
        return std::nullopt;
    }
    const std::string_view behind = line.substr(blank + 1);
    if (behind == "-") {
        return Entry{line.substr(0, blank), behind, {}};
    }
    for (const std::string_view mark : {"=", "->", "<<"}) {
        if (behind == mark || behind.starts_with(std::string{mark} + " ")) {
            return Entry{line.substr(0, blank), mark,
                         behind.substr(std::min(behind.size(), mark.size() + 1))};
        }
    }
    return std::nullopt;
}

bool leaves_the_tree(std::string_view path) {
    return path.empty() || path.starts_with('/') || path.starts_with("..") ||
           path.find("/../") != std::string_view::npos || path.ends_with("/..");
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

// An overlay finds the files of its base, and may go through their links.
enum class Layer { Base, Overlay };

// Room for an entry that takes the place of another; a link is replaced, not followed.
void make_room(const fs::path& path) {
    if (!fs::is_directory(fs::symlink_status(path))) {
        fs::remove(path);
    }
}

void unpack_entry(const Entry& entry, const std::string& block, const fs::path& root, Layer layer) {
    const std::string content =
        entry.mark == "<<" || entry.rest.empty() ? block : std::string{entry.rest} + "\n";
    for (const std::string& name : expand(entry.path)) {
        const fs::path path = root / name;
        if (layer == Layer::Overlay) {
            make_room(path);
        }
        if (entry.mark == "/") {
            fs::create_directories(path);
        } else if (entry.mark == "->") {
            fs::create_directories(path.parent_path());
            fs::create_symlink(entry.rest, path);
        } else {
            write_file(path, content);
        }
    }
}

// Whether everything the entry names was there.
bool remove_entry(const Entry& entry, const fs::path& root) {
    return std::ranges::all_of(expand(entry.path), [&](const std::string& name) {
        return fs::remove_all(root / name) > 0;
    });
}

Result<void> unpack_lines(const std::vector<std::string_view>& lines, const fs::path& root,
                          Layer layer) {
    for (std::size_t i = 0; i < lines.size(); ++i) {
        if (lines[i].empty() || lines[i].starts_with('#')) {
            continue;
        }
        const std::string where = "line " + std::to_string(i + 1) + ": ";
        const auto entry = parse_entry(lines[i]);
        if (!entry || leaves_the_tree(entry->path)) {
            return fail(std::errc::invalid_argument, where + "not an entry of a machine archive");
        }
        if (entry->mark == "-") {
            if (!remove_entry(*entry, root)) {
                return fail(std::errc::no_such_file_or_directory,
                            where + std::string{entry->path} + " is not in the base");
            }
            continue;
        }
        std::string block;
        while (entry->mark == "<<" && i + 1 < lines.size() && lines[i + 1].starts_with('|')) {
            block += std::string{lines[++i].substr(1)} + "\n";
        }
        unpack_entry(*entry, block, root, layer);
    }
    return {};
}

struct Base {
    std::string name{};
    // Of the comment that names it, from 1.
    std::size_t line{0};
};

std::optional<Base> base_of(const std::vector<std::string_view>& lines) {
    constexpr std::string_view kComment = "# base: ";
    for (std::size_t i = 0; i < lines.size() && lines[i].starts_with('#'); ++i) {
        if (lines[i].starts_with(kComment)) {
            return Base{std::string{lines[i].substr(kComment.size())}, i + 1};
        }
    }
    return std::nullopt;
}

Result<void> unpack_base(const Base& base, const fs::path& root, const LoadArchive& load) {
    const std::string where = "line " + std::to_string(base.line) + ": base " + base.name + ": ";
    const auto archive = load(base.name);
    if (!archive) {
        return fail(std::errc::no_such_file_or_directory, where + archive.error().text);
    }
    const auto lines = split(*archive, '\n');
    if (base_of(lines)) {
        return fail(std::errc::invalid_argument, where + "is an overlay itself");
    }
    const auto done = unpack_lines(lines, root, Layer::Base);
    return done ? done : fail(std::errc::invalid_argument, where + done.error().text);
}

}  // namespace

Result<void> unpack_machine(std::string_view archive, const std::string& directory,
                            const LoadArchive& load_base) {
    const auto lines = split(archive, '\n');
    const auto base = base_of(lines);
    if (base) {
        const auto done = unpack_base(*base, directory, load_base);
        if (!done) {
            return done;
        }
    }
    return unpack_lines(lines, directory, base ? Layer::Overlay : Layer::Base);
}

Result<void> unpack_machine_file(const std::string& file, const std::string& directory) {
    return unpack_machine(
        slurp(file), directory, [&](const std::string& name) -> Result<std::string> {
            const fs::path base = fs::path{file}.parent_path() / (name + ".machine");
            if (!fs::exists(base)) {
                return fail(std::errc::no_such_file_or_directory,
                            base.string() + " does not exist");
            }
            return slurp(base);
        });
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
            unpack_machine_file(FERRULE_MACHINES "/" + name + ".machine", tree->path());
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
