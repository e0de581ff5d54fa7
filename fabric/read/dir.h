// A directory held open, and relative reads below it: the only way Ferrule reads a node. The root
// is
// "/" on a live node or a captured tree; no absolute path is ever built.
#pragma once

#include "fabric/base/fd.h"
#include "fabric/base/result.h"
#include "fabric/read/read_log.h"

#include <string>
#include <string_view>
#include <vector>

namespace ferrule {

// The largest attribute file of sysfs: one page.
inline constexpr std::size_t kAttributeLimit = 4096;

class Dir {
  public:
    [[nodiscard]] static Result<Dir> open(const std::string& path);

    // Notes, from now on, all that is asked of this directory and those below it; paths are
    // relative to this one. `log` outlives them all.
    void record(ReadLog& log) { log_ = &log; }

    // A directory below this one.
    [[nodiscard]] Result<Dir> sub(const char* path) const;

    // A sysfs attribute: one open, one read, one close; without the line end. An attribute that
    // fills a page is an error, since it may have been cut.
    [[nodiscard]] Result<std::string> attribute(const char* path) const;

    // A whole text file of at most `limit` bytes; a longer one is an error, never cut.
    [[nodiscard]] Result<std::string> text(const char* path, std::size_t limit) const;

    // A file held open, for a reader that wants pieces of it. No log notes what it reads.
    [[nodiscard]] Result<Fd> file(const char* path) const;

    // Entries except "." and "..", in natural order.
    [[nodiscard]] Result<std::vector<std::string>> list(const char* path = ".") const;

    [[nodiscard]] Result<std::string> link(const char* path) const;

    [[nodiscard]] bool exists(const char* path) const;

    [[nodiscard]] const Fd& fd() const { return fd_; }

  private:
    explicit Dir(Fd fd) : fd_{std::move(fd)} {}

    // `path` from where the log was given.
    [[nodiscard]] std::string logged(const char* path) const { return where_ + path; }

    [[nodiscard]] Result<std::string> noted(const char* path, Result<std::string> content) const;

    Fd fd_;
    ReadLog* log_{nullptr};
    std::string where_{};
};

}  // namespace ferrule
