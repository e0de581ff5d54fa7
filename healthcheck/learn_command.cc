#include "healthcheck/learn_command.h"

#include "fabric/archive/unpack.h"
#include "fabric/base/text.h"
#include "fabric/check/learn.h"
#include "fabric/isolate/health_reader.h"
#include "fabric/read/settings.h"
#include "healthcheck/run.h"

#include <cerrno>
#include <cstdlib>
#include <filesystem>

#include <system_error>

namespace ferrule {

namespace {

// A folder that goes with the object.
class TemporaryFolder {
  public:
    TemporaryFolder() {
        std::string path = (std::filesystem::temp_directory_path() / "ferrule-XXXXXX").string();
        path_ = ::mkdtemp(path.data()) == nullptr ? std::string{} : path;
    }

    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;
    TemporaryFolder(TemporaryFolder&&) = delete;
    TemporaryFolder& operator=(TemporaryFolder&&) = delete;

    ~TemporaryFolder() {
        std::error_code ignored;
        if (!path_.empty()) {
            std::filesystem::remove_all(path_, ignored);
        }
    }

    [[nodiscard]] const std::string& path() const { return path_; }

  private:
    std::string path_;
};

HealthRequest request_of(const HealthOptions& options) {
    HealthRequest request{};
    request.patience = options.patience;
    return request;
}

Result<NodeSnapshot> read_archive(const std::string& path, const HealthOptions& options) {
    const TemporaryFolder folder;
    if (folder.path().empty()) {
        return fail_errno(errno, "a temporary folder");
    }
    if (const auto done = unpack_archive(path, folder.path()); !done) {
        return tl::unexpected{done.error()};
    }
    return read_health(folder.path(), Source::Captured, request_of(options));
}

Result<NodeSnapshot> read_source(const std::string& source, const HealthOptions& options) {
    if (source == "this") {
        return read_health(options.sysroot, source_of(options.sysroot), request_of(options));
    }
    std::error_code ignored;
    if (std::filesystem::is_directory(source, ignored)) {
        return read_health(source, source_of(source), request_of(options));
    }
    return read_archive(source, options);
}

}  // namespace

Result<std::string> learnt_profile(const HealthOptions& options) {
    std::vector<NodeSnapshot> nodes;
    nodes.reserve(options.learn_from.size());
    for (const std::string& source : options.learn_from) {
        nodes.push_back(TRY(read_source(source, options)));
    }
    return learn_profile(nodes);
}

Result<std::string> configuration_report(const HealthOptions& options) {
    const Dir root = TRY(Dir::open(options.sysroot));
    const std::string hostname = root.attribute("proc/sys/kernel/hostname").value_or(std::string{});
    const std::string product =
        root.attribute("sys/class/dmi/id/product_name").value_or(std::string{});
    const NodeProfile profile = TRY(profile_of(options, hostname, product));
    const std::string node = node_name(options, hostname);
    if (profile.name.empty()) {
        return node + ": no profile is for it; every check works from the node itself\n";
    }
    std::string text = node + ": profile " + profile.name + " of " + profile.file + "\n";
    for (const auto& [key, line] : profile.lines) {
        text += "  line " + std::to_string(line) + ": " + key + "\n";
    }
    return text;
}

}  // namespace ferrule
