// ferrule-capture: a node as one text file, and back.
#include "capture/capture.h"
#include "fabric/archive/unpack.h"
#include "fabric/base/version.h"

#include <CLI/CLI.hpp>

#include <cerrno>
#include <cstdlib>
#include <exception>
#include <iostream>
#include <random>

#include <fcntl.h>
#include <unistd.h>

namespace {

using namespace ferrule;

constexpr const char* kDescription =
    "Writes all that Ferrule reads on this node as one text file, for a bug report or a test.\n"
    "Host name, GUIDs, MAC and IP addresses and GPU UUIDs are replaced by others, so that the\n"
    "structure stays. Look through the file before you send it.";

constexpr const char* kFooter =
    "Exit status: 0 done, 1 the node or the archive could not be read or written, 2 misuse.\n"
    "See ferrule-capture(1).";

struct CaptureOptions {
    CaptureRequest request{};
    std::string output{};
    bool keep_names{false};
    // The archive and the directory to unpack it in.
    std::string unpack{};
    std::string directory{};
};

// All errors in one line that begins with the program's name.
std::string failure(const CLI::App*, const CLI::Error& error) {
    return std::string{"ferrule-capture: "} + error.what() + "; see ferrule-capture --help\n";
}

std::string check_name(std::string& text) {
    constexpr std::string_view kPlain =
        "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ._+-";
    return !text.empty() && text.find_first_not_of(kPlain) == std::string::npos
               ? std::string{}
               : "give a name of letters, digits, dots, dashes and underscores";
}

void add_options(CLI::App& app, CaptureOptions& options) {
    auto* const output =
        app.add_option("--output", options.output, "Write to this file, which must not exist yet")
            ->type_name("FILE");
    auto* const name =
        app.add_option("--name", options.request.name, "What the archive calls the machine")
            ->type_name("NAME")
            ->check(CLI::Validator{check_name, "", ""});
    app.add_flag("--keep-names", options.keep_names, "Replace no name and no address");
    auto* const sysroot =
        app.add_option("--sysroot", options.request.sysroot, "Read a tree in place of this node")
            ->type_name("TREE");
    auto* const unpack =
        app.add_option("--unpack", options.unpack, "Unpack ARCHIVE into DIR, which is new or empty")
            ->type_name("ARCHIVE");
    auto* const directory =
        app.add_option("DIR", options.directory, "Where to unpack")->needs(unpack);
    unpack->needs(directory)->excludes(output)->excludes(name)->excludes(sysroot);
}

Result<void> write_new(const std::string& path, const std::string& text) {
    const int fd = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
    if (fd < 0 && errno == EEXIST) {
        return fail(std::errc::file_exists, path + ": is there already; name a new file");
    }
    if (fd < 0) {
        return fail_errno(errno, path);
    }
    std::size_t done = 0;
    while (done < text.size()) {
        const ssize_t written = ::write(fd, text.data() + done, text.size() - done);
        if (written < 0 && errno != EINTR) {
            const int error = errno;
            ::close(fd);
            return fail_errno(error, path);
        }
        done += written < 0 ? 0 : static_cast<std::size_t>(written);
    }
    return ::close(fd) == 0 ? Result<void>{} : fail_errno(errno, path);
}

std::uint64_t new_salt() {
    std::random_device device;
    return std::uint64_t{device()} << 32U | device();
}

Result<void> run(CaptureOptions& options) {
    if (!options.unpack.empty()) {
        return unpack_archive(options.unpack, options.directory);
    }
    if (!options.keep_names) {
        options.request.salt = new_salt();
    }
    const auto archive = capture_node(options.request);
    if (!archive) {
        return tl::unexpected{archive.error()};
    }
    const std::string text = to_text(*archive);
    if (!options.output.empty()) {
        return write_new(options.output, text);
    }
    std::cout << text << std::flush;
    return std::cout ? Result<void>{}
                     : fail(std::errc::io_error, "standard output cannot be written");
}

}  // namespace

int main(int argc, char** argv) {
    try {
        CLI::App app{kDescription, "ferrule-capture"};
        app.footer(kFooter);
        app.failure_message(failure);
        app.set_version_flag("--version", std::string{"ferrule-capture "} + kVersion);
        CaptureOptions options{};
        add_options(app, options);
        try {
            app.parse(argc, argv);
        } catch (const CLI::ParseError& error) {
            constexpr int kMisuse = 2;
            return app.exit(error, std::cout, std::cerr) == 0 ? EXIT_SUCCESS : kMisuse;
        }
        const auto done = run(options);
        if (!done) {
            std::cerr << "ferrule-capture: " << done.error().text << '\n';
            return EXIT_FAILURE;
        }
        return EXIT_SUCCESS;
    } catch (const std::exception& error) {
        std::cerr << "ferrule-capture: " << error.what() << '\n';
        return EXIT_FAILURE;
    }
}
