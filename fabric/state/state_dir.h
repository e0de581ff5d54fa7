// The folder where the health check remembers: written whole or not at all, by one run at a time.
#pragma once

#include "fabric/base/fd.h"
#include "fabric/base/result.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace ferrule {

inline constexpr const char* kDefaultStateDir = "/var/lib/ferrule";

// Who holds the lock, as the holder itself wrote.
struct LockHolder {
    int pid{0};
    // Seconds since it took the lock.
    std::int64_t age{0};
};

class StateDir {
  public:
    // Makes the folder, readable by all, where it is missing. One that somebody other than root and
    // the caller owns, or others may write to, is refused.
    [[nodiscard]] static Result<StateDir> open(const std::string& path);

    // Takes the lock, which ends with this object, whatever children of this process still run, or
    // with the process; nothing when another run has it.
    [[nodiscard]] Result<bool> lock();
    [[nodiscard]] LockHolder holder() const;

    // Of at most `limit` bytes. ENOENT without one. A file that is foreign (a link, no regular
    // file, another's) is an error like one that cannot be read.
    [[nodiscard]] Result<std::string> load(const char* name, std::size_t limit) const;

    // Survives a kill at any moment and a loss of power: the old content or the new.
    [[nodiscard]] Result<void> save(const char* name, std::string_view content) const;

    // Renames it to "NAME.broken", over an earlier one.
    [[nodiscard]] Result<void> set_aside(const char* name) const;

  private:
    // Gives the lock back by word: a child that hangs has the same descriptor, and would keep it.
    class HeldLock {
      public:
        HeldLock() = default;

        explicit HeldLock(Fd fd) : fd_{std::move(fd)} {}

        HeldLock(HeldLock&&) noexcept = default;
        HeldLock& operator=(HeldLock&&) noexcept = default;
        HeldLock(const HeldLock&) = delete;
        HeldLock& operator=(const HeldLock&) = delete;
        ~HeldLock();

      private:
        Fd fd_{};
    };

    StateDir(std::string path, Fd fd) : path_{std::move(path)}, fd_{std::move(fd)} {}

    std::string path_;
    Fd fd_;
    HeldLock lock_{};
};

}  // namespace ferrule
