#include "fabric/archive/unpack.h"

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <sstream>

#include <fcntl.h>
#include <unistd.h>

namespace ferrule {

namespace {

namespace fs = std::filesystem;

// The tree under construction.
class Tree {
  public:
    explicit Tree(fs::path root) : root_{std::move(root)} {}

    [[nodiscard]] Result<void> add(const ArchiveEntry& entry);
    [[nodiscard]] Result<void> remove(const ArchiveEntry& entry);

  private:
    // Makes the directories above `path`, and proves that no link leads out of the tree.
    [[nodiscard]] Result<void> enter(const fs::path& path);
    [[nodiscard]] Result<void> add_path(const ArchiveEntry& entry, const std::string& name);

    fs::path root_;
    // The parent that was proved last: most files lie beside each other.
    fs::path proved_{};
};

Result<void> failed(const std::error_code& code, const fs::path& path) {
    return tl::unexpected{Error{code, path.string() + ": " + code.message()}};
}

Result<void> write_file(const fs::path& path, const std::string& content) {
    const int fd =
        ::open(path.c_str(), O_CREAT | O_TRUNC | O_WRONLY | O_CLOEXEC | O_NOFOLLOW, 0644);
    const bool written = fd >= 0 && ::write(fd, content.data(), content.size()) ==
                                        static_cast<ssize_t>(content.size());
    const int error = errno;
    if (fd >= 0) {
        ::close(fd);
    }
    return written ? Result<void>{} : fail_errno(error, path.string());
}

Result<void> Tree::enter(const fs::path& path) {
    const fs::path parent = path.parent_path();
    if (parent == proved_) {
        return {};
    }
    std::error_code code;
    const fs::path real = fs::weakly_canonical(parent, code);
    const auto beyond = std::ranges::mismatch(root_, real).in1;
    if (code || beyond != root_.end()) {
        return fail(std::errc::permission_denied, path.string() + ": a link leads out of the tree");
    }
    fs::create_directories(real, code);
    if (code) {
        return failed(code, parent);
    }
    proved_ = parent;
    return {};
}

Result<void> Tree::add_path(const ArchiveEntry& entry, const std::string& name) {
    const fs::path path = root_ / name;
    if (auto entered = enter(path); !entered) {
        return entered;
    }
    std::error_code code;
    const fs::file_status there = fs::symlink_status(path, code);
    // What an overlay brings takes the place of what was there; a link is replaced, not followed.
    if (fs::exists(there) && !fs::is_directory(there)) {
        fs::remove(path, code);
        proved_.clear();
    }
    switch (entry.kind) {
        case EntryKind::Directory:
            fs::create_directory(path, code);
            break;
        case EntryKind::Link:
            fs::create_symlink(entry.content, path, code);
            proved_.clear();
            break;
        default:
            // The rows of a range are one file, which is quicker to make.
            if (name != entry.paths.front() &&
                ::link((root_ / entry.paths.front()).c_str(), path.c_str()) == 0) {
                return {};
            }
            return write_file(path, entry.content);
    }
    return code ? failed(code, path) : Result<void>{};
}

Result<void> Tree::add(const ArchiveEntry& entry) {
    for (const std::string& name : entry.paths) {
        if (auto added = add_path(entry, name); !added) {
            return added;
        }
    }
    return {};
}

Result<void> Tree::remove(const ArchiveEntry& entry) {
    proved_.clear();
    for (const std::string& name : entry.paths) {
        std::error_code code;
        const fs::path parent = fs::weakly_canonical((root_ / name).parent_path(), code);
        const bool inside = std::ranges::mismatch(root_, parent).in1 == root_.end();
        const bool removed = !code && inside && fs::remove_all(root_ / name, code) > 0;
        if (!removed || code) {
            return fail(std::errc::no_such_file_or_directory, name + " is not in the base");
        }
    }
    return {};
}

Result<void> unpack_entries(const Archive& archive, const fs::path& root) {
    Tree tree{root};
    for (const ArchiveEntry& entry : archive.entries) {
        const auto done = entry.kind == EntryKind::Removal ? tree.remove(entry) : tree.add(entry);
        if (!done) {
            return fail(std::errc::invalid_argument,
                        "line " + std::to_string(entry.line) + ": " + done.error().text);
        }
    }
    return {};
}

Result<std::string> content_of(const fs::path& file) {
    const std::ifstream stream{file, std::ios::binary};
    if (!stream || fs::is_directory(file)) {
        return fail(std::errc::no_such_file_or_directory, file.string() + ": cannot be read");
    }
    std::ostringstream content;
    content << stream.rdbuf();
    return content.str();
}

Result<fs::path> root_at(const std::string& directory) {
    std::error_code code;
    fs::create_directories(directory, code);
    fs::path root = fs::canonical(directory, code);
    if (code) {
        return tl::unexpected{Error{code, directory + ": " + code.message()}};
    }
    if (!fs::is_empty(root, code)) {
        return fail(std::errc::directory_not_empty,
                    directory + ": is not empty; unpack into a new directory");
    }
    return root;
}

Result<void> unpack_base(const std::string& name, const fs::path& folder, const fs::path& root) {
    const auto named = [&](const std::string& what) {
        return fail(std::errc::invalid_argument, "base " + name + ": " + what);
    };
    const auto base =
        content_of(folder / (name + ".machine")).and_then([](const std::string& text) {
            return parse_archive(text);
        });
    if (!base) {
        return named(base.error().text);
    }
    if (base->base) {
        return named("is an overlay itself");
    }
    const auto done = unpack_entries(*base, root);
    return done ? done : named(done.error().text);
}

}  // namespace

Result<void> unpack_archive_text(std::string_view text, const std::string& directory) {
    const fs::path root = TRY(root_at(directory));
    const Archive archive = TRY(parse_archive(text));
    if (archive.base) {
        return fail(std::errc::invalid_argument, "base " + *archive.base + " is not here");
    }
    return unpack_entries(archive, root);
}

Result<void> unpack_archive(const std::string& file, const std::string& directory) {
    const fs::path root = TRY(root_at(directory));
    const auto named = [&](const Error& error) {
        return fail(std::errc::invalid_argument, file + ": " + error.text);
    };
    const std::string text = TRY(content_of(file));
    const auto archive = parse_archive(text);
    if (!archive) {
        return named(archive.error());
    }
    if (const auto& base = archive->base) {
        const auto done = unpack_base(*base, fs::path{file}.parent_path(), root);
        if (!done) {
            return named(done.error());
        }
    }
    const auto done = unpack_entries(*archive, root);
    return done ? done : named(done.error());
}

}  // namespace ferrule
