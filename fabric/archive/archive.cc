#include "fabric/archive/archive.h"

#include "fabric/base/text.h"

#include <algorithm>

namespace ferrule {

namespace {

constexpr std::string_view kBase = "base: ";

struct Line {
    std::string_view path{};
    std::string_view mark{};
    std::string_view rest{};
};

// The mark that stands behind a blank, with what follows it.
std::optional<Line> marked_at(std::string_view line, std::size_t blank) {
    const std::string_view behind = line.substr(blank + 1);
    for (const std::string_view mark : {"=", "->", "<<", "-"}) {
        const bool bare = behind == mark;
        if (bare || (mark != "-" && behind.starts_with(std::string{mark} + " "))) {
            return Line{line.substr(0, blank), mark,
                        behind.substr(std::min(behind.size(), mark.size() + 1))};
        }
    }
    return std::nullopt;
}

std::optional<Line> parse_line(std::string_view line) {
    if (line.ends_with('/')) {
        return Line{line.substr(0, line.size() - 1), "/", {}};
    }
    // Names may hold blanks, as counters of Omni-Path do: the first mark ends the path.
    for (std::size_t blank = line.find(' '); blank != std::string_view::npos;
         blank = line.find(' ', blank + 1)) {
        if (auto marked = marked_at(line, blank)) {
            return marked;
        }
    }
    return std::nullopt;
}

// A NUL would end a path early for the system, and a line end a line of the archive.
bool has_control(std::string_view text) {
    constexpr unsigned char kFirstPrintable = 0x20;
    return std::ranges::any_of(
        text, [](char c) { return static_cast<unsigned char>(c) < kFirstPrintable; });
}

bool leaves_the_tree(std::string_view path) {
    const auto pieces = split(path, '/');
    return path.empty() || has_control(path) ||
           std::ranges::any_of(pieces, [](std::string_view piece) {
               return piece.empty() || piece == "." || piece == "..";
           });
}

// "gids/{4..255}" as gids/4 to gids/255; none for a range that is none.
std::vector<std::string> expand(std::string_view path) {
    constexpr unsigned kMostPaths = 65536;
    const std::size_t open = path.find("/{");
    if (open == std::string_view::npos) {
        return {std::string{path}};
    }
    const std::string_view range = path.substr(open + 2);
    const std::size_t dots = range.find("..");
    if (dots == std::string_view::npos || !range.ends_with('}')) {
        return {};
    }
    const auto first = parse_number<unsigned>(range.substr(0, dots));
    const auto last = parse_number<unsigned>(range.substr(dots + 2, range.size() - dots - 3));
    std::vector<std::string> paths;
    if (!first || !last || *last < *first || *last - *first >= kMostPaths) {
        return paths;
    }
    for (unsigned i = *first; i <= *last; ++i) {
        paths.push_back(std::string{path.substr(0, open + 1)} + std::to_string(i));
    }
    return paths;
}

EntryKind kind_of(std::string_view mark) {
    if (mark == "/") {
        return EntryKind::Directory;
    }
    if (mark == "->") {
        return EntryKind::Link;
    }
    return mark == "-" ? EntryKind::Removal : EntryKind::File;
}

// Text that the format can hold: lines, the last one ended.
bool is_text(std::string_view content) {
    constexpr unsigned char kFirstPrintable = 0x20;
    const bool control = std::ranges::any_of(content, [](char c) {
        return static_cast<unsigned char>(c) < kFirstPrintable && c != '\n' && c != '\t';
    });
    return !control && (content.empty() || content.ends_with('\n'));
}

// Numbered paths beside each other as the range they are.
std::string range_text(const std::vector<std::string>& paths) {
    const std::size_t name = paths.front().rfind('/') + 1;
    return paths.size() == 1 ? paths.front()
                             : paths.front().substr(0, name) + "{" + paths.front().substr(name) +
                                   ".." + paths.back().substr(name) + "}";
}

std::string entry_text(const ArchiveEntry& entry, const std::string& path) {
    switch (entry.kind) {
        case EntryKind::Directory:
            return path + "/\n";
        case EntryKind::Link:
            return path + " -> " + entry.content + "\n";
        case EntryKind::Removal:
            return path + " -\n";
        case EntryKind::File:
            break;
    }
    if (!is_text(entry.content)) {
        return {};
    }
    if (entry.content.empty()) {
        return path + " =\n";
    }
    const std::size_t first_end = entry.content.find('\n');
    if (first_end + 1 == entry.content.size() && first_end > 0) {
        return path + " = " + entry.content;
    }
    std::string text = path + " <<\n";
    const std::string_view lines{entry.content.data(), entry.content.size() - 1};
    for (const std::string_view line : split(lines, '\n')) {
        text += "|" + std::string{line} + "\n";
    }
    return lines.empty() ? text + "|\n" : text;
}

// False for a base that is no plain name.
bool take_comment(std::string_view line, Archive& archive) {
    archive.comments.emplace_back(trimmed(line.substr(1)));
    const std::string& comment = archive.comments.back();
    if (!comment.starts_with(kBase)) {
        return true;
    }
    const std::string name = comment.substr(kBase.size());
    archive.base = name;
    return name.find('/') == std::string::npos && !leaves_the_tree(name);
}

// The entry that begins in line `at`; `at` then stands on its last line. Nothing where there is
// none.
std::optional<ArchiveEntry> take_entry(const std::vector<std::string_view>& lines,
                                       std::size_t& at) {
    const auto line = parse_line(lines[at]);
    if (!line || leaves_the_tree(line->path) || (line->mark == "->" && has_control(line->rest))) {
        return std::nullopt;
    }
    ArchiveEntry entry{kind_of(line->mark), expand(line->path), {}, at + 1};
    if (entry.paths.empty()) {
        return std::nullopt;
    }
    if (line->mark == "<<") {
        while (at + 1 < lines.size() && lines[at + 1].starts_with('|')) {
            entry.content += lines[++at].substr(1);
            entry.content += '\n';
        }
    } else if (!line->rest.empty()) {
        entry.content = line->rest;
        entry.content += entry.kind == EntryKind::File ? "\n" : "";
    }
    return entry;
}

}  // namespace

Result<Archive> parse_archive(std::string_view text) {
    Archive archive{};
    const auto lines = split(text, '\n');
    for (std::size_t i = 0; i < lines.size(); ++i) {
        const auto wrong = [&](const char* what) {
            return fail(std::errc::invalid_argument, "line " + std::to_string(i + 1) + ": " + what);
        };
        if (lines[i].starts_with('#')) {
            if (!take_comment(lines[i], archive)) {
                return wrong("no name of an archive");
            }
            continue;
        }
        if (lines[i].empty()) {
            continue;
        }
        auto entry = take_entry(lines, i);
        if (!entry || (entry->kind == EntryKind::Removal && !archive.base)) {
            return wrong("not an entry of a machine archive");
        }
        archive.entries.push_back(std::move(*entry));
    }
    return archive;
}

std::string to_text(const Archive& archive) {
    std::string head;
    std::string body;
    for (const std::string& comment : archive.comments) {
        head += "# " + comment + "\n";
    }
    for (const ArchiveEntry& entry : archive.entries) {
        const std::string path = range_text(entry.paths);
        const std::string text = entry_text(entry, path);
        head += text.empty() ? "# unread: " + path + ": not text\n" : "";
        body += text;
    }
    return head + body;
}

}  // namespace ferrule
