#include "fabric/read/trusted_file.h"

#include "fabric/base/file.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstdlib>
#include <memory>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace ferrule {

namespace {

Result<void> check_owner(const struct stat& status, Trust trust, const std::string& what) {
    const bool owner_fits =
        status.st_uid == 0 || (trust == Trust::RootOrCaller && status.st_uid == ::geteuid());
    if (!owner_fits) {
        return fail(std::errc::operation_not_permitted,
                    fmt::format("{}: owned by uid {}; chown root it", what, status.st_uid));
    }
    const bool sticky_directory = S_ISDIR(status.st_mode) && (status.st_mode & S_ISVTX) != 0;
    if ((status.st_mode & (S_IWGRP | S_IWOTH)) != 0 && !sticky_directory) {
        return fail(std::errc::operation_not_permitted,
                    fmt::format("{}: writable by others than its owner (mode {:04o}); "
                                "chmod go-w it",
                                what, status.st_mode & 07777U));
    }
    return {};
}

}  // namespace

Result<TrustedFile> read_trusted_file(const std::string& path, Trust trust, std::size_t limit) {
    // Links are followed here and nowhere else, so that every folder on the way is looked at.
    const std::unique_ptr<char, decltype(&std::free)> resolved{::realpath(path.c_str(), nullptr),
                                                               &std::free};
    if (!resolved) {
        return fail_errno(errno, path);
    }
    const std::string real{resolved.get()};
    struct stat status{};
    for (std::size_t slash = 0; slash != std::string::npos; slash = real.find('/', slash + 1)) {
        const std::string folder = slash == 0 ? "/" : real.substr(0, slash);
        if (::stat(folder.c_str(), &status) != 0) {
            return fail_errno(errno, folder);
        }
        if (const auto fits = check_owner(status, trust, folder); !fits) {
            return tl::unexpected{fits.error()};
        }
    }
    // What is checked is what is read: one descriptor for both.
    const Fd fd{::open(real.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW)};
    if (!fd.valid() || ::fstat(fd.get(), &status) != 0) {
        return fail_errno(errno, path);
    }
    if (!S_ISREG(status.st_mode)) {
        return fail(std::errc::invalid_argument, path + ": not a regular file");
    }
    if (const auto fits = check_owner(status, trust, path); !fits) {
        return tl::unexpected{fits.error()};
    }
    std::string content = TRY(read_all(fd, path, limit));
    return TrustedFile{std::move(content), status.st_mtime};
}

}  // namespace ferrule
