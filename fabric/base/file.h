// Whole files: read up to a limit, written whole or not at all.
#pragma once

#include "fabric/base/fd.h"
#include "fabric/base/result.h"

#include <cstddef>
#include <string>
#include <string_view>

namespace ferrule {

// The rest of an open file, at most `limit` bytes; `what` names it in messages.
// Error: std::errc::file_too_large.
[[nodiscard]] Result<std::string> read_all(const Fd& fd, std::string_view what, std::size_t limit);

[[nodiscard]] Result<void> write_all(const Fd& fd, std::string_view content, std::string_view what);

// Puts `content` in the place of `path`, which is relative to `folder` (or AT_FDCWD), for all to
// read: readers see the old file or the new one, and after a loss of power one of them is there. It
// is made as "path.new", which a run that is killed leaves for the next one to take. Of two that
// write at the same time one fails with std::errc::device_or_resource_busy.
[[nodiscard]] Result<void> replace_file(int folder, const std::string& path,
                                        std::string_view content);

}  // namespace ferrule
