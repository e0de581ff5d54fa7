// A node as one text file: the files that Ferrule reads there, one line each. Pure.
//
//     # comment, at the top only          path = text        a file with the text and a line end
//     path -> target                      path =             an empty file
//     path/                               path <<            a file of the lines that follow, each
//     path/{4..255} = text                |behind a bar      without its bar
//     path -                              removed again; only in an archive that has a base
//
// Paths are relative and stay inside the tree. An archive with the comment "# base: NAME" is put
// over that other one.
#pragma once

#include "fabric/base/result.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ferrule {

enum class EntryKind { File, Link, Directory, Removal };

struct ArchiveEntry {
    EntryKind kind{EntryKind::File};
    // Not empty; several for a range of numbered files in one directory.
    std::vector<std::string> paths{};
    // Content of a file, target of a link.
    std::string content{};
    // From 1; 0 in an archive that was not read from text.
    std::size_t line{0};

    bool operator==(const ArchiveEntry&) const = default;
};

struct Archive {
    // Without "# ".
    std::vector<std::string> comments{};
    std::optional<std::string> base{};
    std::vector<ArchiveEntry> entries{};

    bool operator==(const Archive&) const = default;
};

// Errors name the line. A range has at most 65536 paths.
[[nodiscard]] Result<Archive> parse_archive(std::string_view text);

// Reads back as the same entries. A file whose bytes are no text of lines is left out, with a
// comment in its place.
[[nodiscard]] std::string to_text(const Archive& archive);

}  // namespace ferrule
