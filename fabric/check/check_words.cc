#include "fabric/check/check_words.h"

#include "fabric/base/text.h"

#include <fmt/format.h>

namespace ferrule {

std::string rule_of(const NodeProfile& profile, std::string_view key) {
    const auto line = profile.lines.find(std::string{key});
    const std::size_t slash = profile.file.rfind('/');
    const std::string file =
        slash == std::string::npos ? profile.file : profile.file.substr(slash + 1);
    return line == profile.lines.end() ? fmt::format("profile {} ({})", profile.name, key)
                                       : fmt::format("{}:{} ({})", file, line->second, key);
}

std::string why_unread(const NodeSnapshot& snapshot, std::string_view where) {
    for (const ReadProblem& problem : snapshot.problems) {
        if (problem.where.starts_with(where)) {
            return fmt::format("{}: {}", problem.where, problem.what);
        }
    }
    return "not told by this driver";
}

std::string port_path(const ScopedPort& port) {
    return fmt::format("sys/class/infiniband/{}/ports/{}/", port.hca->name, port.port->number);
}

}  // namespace ferrule
