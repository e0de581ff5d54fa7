// A file that decides what a root process does: nobody else may have written it.
#pragma once

#include "fabric/base/result.h"

#include <cstddef>
#include <cstdint>
#include <string>

namespace ferrule {

// Who may own the file: root, or (for a user's own tool) also the user.
enum class Trust { RootOnly, RootOrCaller };

struct TrustedFile {
    std::string content{};
    // Seconds since 1970 of its last change.
    std::int64_t changed{0};
};

// Refuses a file that others could have written, or put in its place: it, and every folder on the
// way to it, has the right owner and is not writable by group or others (a sticky folder may be).
// Links are followed. ENOENT when there is no such file; std::errc::file_too_large.
[[nodiscard]] Result<TrustedFile> read_trusted_file(const std::string& path, Trust trust,
                                                    std::size_t limit);

}  // namespace ferrule
