// From a log of readings to the entries of an archive.
#pragma once

#include "fabric/archive/archive.h"
#include "fabric/archive/scrub.h"
#include "fabric/read/dir.h"
#include "fabric/read/read_log.h"

#include <vector>

namespace ferrule {

// Links stay links, so that a path of the log leads to the same file; each file is there once,
// under its real path. What was only looked at is an empty file or directory. Rows of a table that
// are equal become one range. `scrubber` may be null.
[[nodiscard]] std::vector<ArchiveEntry> copied_entries(const Dir& root, const ReadLog& log,
                                                       const Scrubber* scrubber);

}  // namespace ferrule
