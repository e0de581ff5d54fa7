#include "fabric/read/dir.h"

#include "fabric/base/file.h"
#include "fabric/base/text.h"

#include <climits>

#include <algorithm>
#include <array>
#include <cerrno>
#include <dirent.h>
#include <memory>

#include <fcntl.h>
#include <unistd.h>

namespace ferrule {

namespace {

// Reads until the buffer is full or the file ends; -1 with errno on failure.
ssize_t read_once(int fd, char* buffer, std::size_t size) {
    ssize_t got = -1;
    do {
        got = ::read(fd, buffer, size);
    } while (got < 0 && errno == EINTR);
    return got;
}

struct CloseDir {
    void operator()(DIR* dir) const { ::closedir(dir); }
};

}  // namespace

Result<Dir> Dir::open(const std::string& path) {
    Fd fd{::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)};
    if (!fd.valid()) {
        return fail_errno(errno, path);
    }
    return Dir{std::move(fd)};
}

Result<Dir> Dir::sub(const char* path) const {
    Fd fd{::openat(fd_.get(), path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)};
    if (!fd.valid()) {
        return fail_errno(errno, path);
    }
    Dir below{std::move(fd)};
    if (log_ != nullptr) {
        log_->directories.insert(logged(path));
        below.log_ = log_;
        below.where_ = logged(path) + "/";
    }
    return below;
}

Result<std::string> Dir::noted(const char* path, Result<std::string> content) const {
    if (log_ == nullptr) {
        return content;
    }
    if (content) {
        log_->files[logged(path)] = *content;
    } else if (content.error().code != std::errc::no_such_file_or_directory) {
        log_->errors[logged(path)] = content.error().code.value();
    }
    return content;
}

Result<std::string> Dir::attribute(const char* path) const {
    if (log_ != nullptr) {
        // Whole, so that the capture has the line end too.
        const auto whole = text(path, kAttributeLimit);
        return whole ? Result<std::string>{std::string{trimmed(*whole)}} : whole;
    }
    // A captured tree may hold anything; a pipe in it must not hold us.
    const Fd fd{::openat(fd_.get(), path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)};
    if (!fd.valid()) {
        return fail_errno(errno, path);
    }
    std::array<char, kAttributeLimit> buffer;  // NOLINT(*-member-init): filled by read
    const ssize_t got = read_once(fd.get(), buffer.data(), buffer.size());
    if (got < 0) {
        return fail_errno(errno, path);
    }
    if (static_cast<std::size_t>(got) == buffer.size()) {
        return fail(std::errc::file_too_large, std::string{path} + ": longer than a page");
    }
    return std::string{trimmed({buffer.data(), static_cast<std::size_t>(got)})};
}

Result<std::string> Dir::text(const char* path, std::size_t limit) const {
    const Fd fd{::openat(fd_.get(), path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)};
    if (!fd.valid()) {
        return noted(path, fail_errno(errno, path));
    }
    return noted(path, read_all(fd, path, limit));
}

Result<Fd> Dir::file(const char* path) const {
    Fd fd{::openat(fd_.get(), path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)};
    if (!fd.valid()) {
        return fail_errno(errno, path);
    }
    return fd;
}

Result<std::vector<std::string>> Dir::list(const char* path) const {
    const int fd = ::openat(fd_.get(), path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    const std::unique_ptr<DIR, CloseDir> dir{fd < 0 ? nullptr : ::fdopendir(fd)};
    if (!dir) {
        return fail_errno(errno, path);
    }
    if (log_ != nullptr) {
        log_->directories.insert(logged(path));
    }
    std::vector<std::string> names;
    while (const dirent* entry = ::readdir(dir.get())) {  // NOLINT(concurrency-mt-unsafe)
        const std::string_view name = static_cast<const char*>(entry->d_name);
        if (name != "." && name != "..") {
            names.emplace_back(name);
            if (log_ != nullptr) {
                log_->listed.insert(logged(path) + "/" + std::string{name});
            }
        }
    }
    std::ranges::sort(names, natural_less);
    return names;
}

Result<std::string> Dir::link(const char* path) const {
    if (log_ != nullptr) {
        log_->looked_at.insert(logged(path));
    }
    std::array<char, PATH_MAX> buffer;  // NOLINT(*-member-init): filled by readlinkat
    const ssize_t got = ::readlinkat(fd_.get(), path, buffer.data(), buffer.size());
    if (got < 0) {
        return fail_errno(errno, path);
    }
    if (static_cast<std::size_t>(got) == buffer.size()) {
        return fail(std::errc::filename_too_long, std::string{path} + ": link target too long");
    }
    return std::string{buffer.data(), static_cast<std::size_t>(got)};
}

bool Dir::exists(const char* path) const {
    if (log_ != nullptr) {
        log_->looked_at.insert(logged(path));
    }
    return ::faccessat(fd_.get(), path, F_OK, 0) == 0;
}

}  // namespace ferrule
