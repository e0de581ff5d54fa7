#include "capture/tree_copy.h"

#include "fabric/base/text.h"

#include <algorithm>
#include <map>
#include <optional>

namespace ferrule {

namespace {

struct NaturalOrder {
    bool operator()(const std::string& left, const std::string& right) const {
        return natural_less(left, right);
    }
};

using Entries = std::map<std::string, ArchiveEntry, NaturalOrder>;

constexpr int kMostLinks = 40;

// "a/b/../c" as "a/c"; nothing where it leads out of the tree.
std::optional<std::string> normal(std::string_view path) {
    std::vector<std::string> pieces;
    for (const std::string_view piece : split(path, '/')) {
        if (piece == "..") {
            if (pieces.empty()) {
                return std::nullopt;
            }
            pieces.pop_back();
        } else if (!piece.empty() && piece != ".") {
            pieces.emplace_back(piece);
        }
    }
    return joined(pieces, "/");
}

std::string below(const std::string& folder, const std::string& name) {
    return folder.empty() ? name : joined({folder, name}, "/");
}

// Follows the links on a path and keeps them.
class PathCopy {
  public:
    PathCopy(const Dir& root, Entries& entries) : root_{root}, entries_{entries} {}

    // The real path; nothing where it leads out of the tree or in a circle.
    [[nodiscard]] std::optional<std::string> real(const std::string& path) {
        // The process's own folder is a link to another one for each process.
        if (path.starts_with("proc/")) {
            return path;
        }
        std::optional<std::string> rest = normal(path);
        std::string done;
        for (int links = 0; rest && !rest->empty() && links < kMostLinks;) {
            const std::size_t slash = rest->find('/');
            const std::string next = below(done, rest->substr(0, slash));
            const std::string behind =
                slash == std::string::npos ? std::string{} : rest->substr(slash + 1);
            const auto target = root_.link(next.c_str());
            if (!target) {
                done = next;
                rest = behind;
                continue;
            }
            ++links;
            keep_link(next, *target);
            const std::string from = target->starts_with('/') ? *target : below(done, *target);
            rest = normal(below(from, behind));
            done.clear();
        }
        return rest && rest->empty() ? std::optional{done} : std::nullopt;
    }

  private:
    void keep_link(const std::string& path, const std::string& target) {
        if (!target.starts_with('/')) {
            entries_[path] = {EntryKind::Link, {path}, target, 0};
        }
    }

    const Dir& root_;
    Entries& entries_;
};

// Any variable may stand in NCCL's file; only NCCL's own are Ferrule's business.
std::string own_lines(std::string_view text) {
    std::string lines;
    for (const std::string_view line : split(text, '\n')) {
        if (line.starts_with("NCCL_")) {
            lines += std::string{line} + "\n";
        }
    }
    return lines;
}

// A version looks like an address; what drivers say of their ports names nobody.
bool is_without_names(std::string_view path) {
    return path.ends_with("/fw_ver") || path.starts_with("ferrule/ethtool/") ||
           path.starts_with("ferrule/dcb/") ||
           (path.starts_with("sys/module/") && path.ends_with("/version"));
}

// A switch's frame is full of names, in bytes that no scrubber reads.
bool is_all_names(std::string_view path) {
    return path.starts_with("ferrule/lldp/");
}

void take_files(const ReadLog& log, PathCopy& paths, const Scrubber* scrubber, Entries& entries) {
    for (const auto& [path, content] : log.files) {
        const bool left_out = scrubber != nullptr && is_all_names(path);
        const auto real = left_out ? std::nullopt : paths.real(path);
        const bool plain = scrubber == nullptr || is_without_names(path);
        if (real) {
            const std::string text = path == "etc/nccl.conf" ? own_lines(content) : content;
            entries[*real] = {EntryKind::File, {*real}, plain ? text : scrubber->text(text), 0};
        }
    }
}

// A path that a reader asked for, and did not read.
void take_look(const Dir& root, const std::string& path, PathCopy& paths, Entries& entries) {
    const auto real = paths.real(path);
    if (real && !entries.contains(*real) && root.exists(real->c_str())) {
        const bool directory = root.sub(real->c_str()).has_value();
        entries[*real] = {directory ? EntryKind::Directory : EntryKind::File, {*real}, {}, 0};
    }
}

void take_looks(const Dir& root, const ReadLog& log, PathCopy& paths, Entries& entries) {
    for (const std::string& path : log.looked_at) {
        take_look(root, path, paths, entries);
    }
    // No reader takes a fact from the bare name of a file.
    for (const std::string& path : log.listed) {
        if (root.link(path.c_str()) || root.sub(path.c_str())) {
            take_look(root, path, paths, entries);
        }
    }
    for (const std::string& path : log.directories) {
        const auto real = paths.real(path);
        if (real && !real->empty() && !entries.contains(*real)) {
            entries[*real] = {EntryKind::Directory, {*real}, {}, 0};
        }
    }
}

// A directory with something in it needs no line.
bool is_made_anyway(const Entries& entries, const ArchiveEntry& entry) {
    const std::string inside = entry.paths.front() + "/";
    return entry.kind == EntryKind::Directory &&
           std::ranges::any_of(entries,
                               [&](const auto& other) { return other.first.starts_with(inside); });
}

struct Row {
    std::string_view folder{};
    std::optional<unsigned> number{};
};

Row row_of(const std::string& path) {
    const std::size_t slash = path.rfind('/');
    if (slash == std::string::npos) {
        return {};
    }
    const std::string_view name = std::string_view{path}.substr(slash + 1);
    const bool canonical = name.size() == 1 || !name.starts_with('0');
    return {std::string_view{path}.substr(0, slash),
            canonical ? parse_number<unsigned>(name) : std::nullopt};
}

bool continues(const ArchiveEntry& before, const ArchiveEntry& entry) {
    const Row last = row_of(before.paths.back());
    const Row row = row_of(entry.paths.front());
    return before.kind == EntryKind::File && entry.kind == EntryKind::File && last.number &&
           row.number == *last.number + 1 && last.folder == row.folder &&
           before.content == entry.content;
}

}  // namespace

std::vector<ArchiveEntry> copied_entries(const Dir& root, const ReadLog& log,
                                         const Scrubber* scrubber) {
    Entries entries;
    PathCopy paths{root, entries};
    take_files(log, paths, scrubber, entries);
    take_looks(root, log, paths, entries);
    std::vector<ArchiveEntry> list;
    for (const auto& [path, entry] : entries) {
        if (is_made_anyway(entries, entry)) {
            continue;
        }
        if (!list.empty() && continues(list.back(), entry)) {
            list.back().paths.push_back(path);
        } else {
            list.push_back(entry);
        }
    }
    return list;
}

}  // namespace ferrule
