#include "fabric/base/file.h"

#include <array>
#include <cerrno>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

namespace ferrule {

namespace {

constexpr mode_t kForAllToRead = 0644;
constexpr std::string_view kUnfinished = ".new";

bool is_plain_file_of_ours(const struct stat& status) {
    return S_ISREG(status.st_mode) && status.st_nlink == 1 && status.st_uid == ::geteuid();
}

// Its name may meanwhile be another's.
bool is_still(int folder, const std::string& path, const struct stat& status) {
    struct stat named{};
    return ::fstatat(folder, path.c_str(), &named, AT_SYMLINK_NOFOLLOW) == 0 &&
           status.st_dev == named.st_dev && status.st_ino == named.st_ino;
}

// What another run left is taken, unless it is still at work on it; a link or what else stands in
// its place is taken away.
Result<Fd> take_unfinished(int folder, const std::string& path) {
    constexpr int kTries = 2;
    for (int i = 0; i < kTries; ++i) {
        Fd fd{::openat(folder, path.c_str(),
                       O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, kForAllToRead)};
        if (!fd.valid() && errno != ELOOP && errno != ENXIO) {
            return fail_errno(errno, path.substr(0, path.size() - kUnfinished.size()));
        }
        struct stat status{};
        if (fd.valid() && ::fstat(fd.get(), &status) == 0 && is_plain_file_of_ours(status)) {
            if (::flock(fd.get(), LOCK_EX | LOCK_NB) == 0 && is_still(folder, path, status)) {
                return fd;
            }
            break;
        }
        static_cast<void>(::unlinkat(folder, path.c_str(), 0));
    }
    return fail(std::errc::device_or_resource_busy, path + ": another run is writing it");
}

}  // namespace

Result<std::string> read_all(const Fd& fd, std::string_view what, std::size_t limit) {
    std::string content;
    std::array<char, 4096> buffer;  // NOLINT(*-member-init): filled by read
    while (true) {
        const ssize_t got = ::read(fd.get(), buffer.data(), buffer.size());
        if (got < 0 && errno == EINTR) {
            continue;
        }
        if (got < 0) {
            return fail_errno(errno, what);
        }
        if (got == 0) {
            return content;
        }
        content.append(buffer.data(), static_cast<std::size_t>(got));
        if (content.size() > limit) {
            return fail(std::errc::file_too_large,
                        std::string{what} + ": longer than " + std::to_string(limit) + " bytes");
        }
    }
}

Result<void> write_all(const Fd& fd, std::string_view content, std::string_view what) {
    while (!content.empty()) {
        const ssize_t done = ::write(fd.get(), content.data(), content.size());
        if (done < 0 && errno != EINTR) {
            return fail_errno(errno, what);
        }
        content.remove_prefix(done > 0 ? static_cast<std::size_t>(done) : 0);
    }
    return {};
}

Result<void> replace_file(int folder, const std::string& path, std::string_view content) {
    const std::string fresh = path + std::string{kUnfinished};
    const Fd fd = TRY(take_unfinished(folder, fresh));
    if (::ftruncate(fd.get(), 0) != 0) {
        return fail_errno(errno, fresh);
    }
    if (auto done = write_all(fd, content, fresh); !done) {
        return done;
    }
    if (::fchmod(fd.get(), kForAllToRead) != 0 || ::fdatasync(fd.get()) != 0 ||
        ::renameat(folder, fresh.c_str(), folder, path.c_str()) != 0) {
        return fail_errno(errno, fresh);
    }
    return {};
}

}  // namespace ferrule
