#include "fabric/state/state_dir.h"

#include "fabric/base/file.h"
#include "fabric/base/text.h"

#include <fmt/format.h>

#include <array>
#include <cerrno>
#include <ctime>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

namespace ferrule {

namespace {

constexpr const char* kLock = "lock";
constexpr mode_t kFolderMode = 0755;
constexpr mode_t kFileMode = 0644;

// Root's or the caller's own, and nobody else's to write to.
bool is_ours(const struct stat& status) {
    return (status.st_uid == 0 || status.st_uid == ::geteuid()) &&
           (status.st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

}  // namespace

StateDir::HeldLock::~HeldLock() {
    if (fd_.valid()) {
        static_cast<void>(::flock(fd_.get(), LOCK_UN));
    }
}

Result<StateDir> StateDir::open(const std::string& path) {
    if (::mkdir(path.c_str(), kFolderMode) != 0 && errno != EEXIST) {
        return fail_errno(errno, path);
    }
    Fd fd{::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)};
    struct stat status{};
    if (!fd.valid() || ::fstat(fd.get(), &status) != 0) {
        return fail_errno(errno, path);
    }
    if (!is_ours(status)) {
        return fail(std::errc::operation_not_permitted,
                    path +
                        ": not owned by root or by this user, or writable by others; chown and "
                        "chmod go-w it");
    }
    return StateDir{path, std::move(fd)};
}

Result<bool> StateDir::lock() {
    Fd fd{::openat(fd_.get(), kLock, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, kFileMode)};
    if (!fd.valid()) {
        return fail_errno(errno, path_ + "/" + kLock);
    }
    if (::flock(fd.get(), LOCK_EX | LOCK_NB) != 0) {
        return errno == EWOULDBLOCK ? Result<bool>{false}
                                    : Result<bool>{fail_errno(errno, path_ + "/" + kLock)};
    }
    const std::string text = fmt::format("{}\n", ::getpid());
    if (::ftruncate(fd.get(), 0) == 0) {
        if (const auto done = write_all(fd, text, path_ + "/" + kLock); !done) {
            return tl::unexpected{done.error()};
        }
    }
    lock_ = HeldLock{std::move(fd)};
    return true;
}

LockHolder StateDir::holder() const {
    LockHolder holder{};
    const Fd fd{::openat(fd_.get(), kLock, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)};
    struct stat status{};
    std::array<char, 32> text{};
    const ssize_t got = fd.valid() ? ::read(fd.get(), text.data(), text.size()) : -1;
    if (got > 0 && ::fstat(fd.get(), &status) == 0) {
        const std::string_view pid{text.data(), static_cast<std::size_t>(got)};
        holder.pid = parse_number<int>(trimmed(pid)).value_or(0);
        holder.age = std::max<std::int64_t>(0, ::time(nullptr) - status.st_mtime);
    }
    return holder;
}

Result<std::string> StateDir::load(const char* name, std::size_t limit) const {
    const std::string what = path_ + "/" + name;
    const Fd fd{::openat(fd_.get(), name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)};
    struct stat status{};
    if (!fd.valid() || ::fstat(fd.get(), &status) != 0) {
        return fail_errno(errno, what);
    }
    if (!S_ISREG(status.st_mode) || !is_ours(status)) {
        return fail(std::errc::operation_not_permitted, what + ": not a file of ours");
    }
    return read_all(fd, what, limit);
}

Result<void> StateDir::save(const char* name, std::string_view content) const {
    const auto done = replace_file(fd_.get(), name, content);
    if (!done) {
        return tl::unexpected{Error{done.error().code, path_ + "/" + done.error().text}};
    }
    return {};
}

Result<void> StateDir::set_aside(const char* name) const {
    const std::string broken = std::string{name} + ".broken";
    if (::renameat(fd_.get(), name, fd_.get(), broken.c_str()) != 0) {
        return fail_errno(errno, path_ + "/" + name);
    }
    return {};
}

}  // namespace ferrule
