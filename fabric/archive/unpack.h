// An archive as a tree of files on this machine, which read_node reads like a node.
#pragma once

#include "fabric/archive/archive.h"

#include <string>

namespace ferrule {

// Unpacks `file` below `directory`, which is made or empty; the base of an overlay is looked for
// beside `file`. Nothing is ever written outside of `directory`, whatever links the archive holds.
// Errors name the file and the line.
[[nodiscard]] Result<void> unpack_archive(const std::string& file, const std::string& directory);

// The same for text; no base.
[[nodiscard]] Result<void> unpack_archive_text(std::string_view text, const std::string& directory);

}  // namespace ferrule
