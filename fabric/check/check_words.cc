#include "fabric/check/check_words.h"

#include "fabric/base/text.h"

#include <fmt/format.h>

#include <algorithm>

namespace ferrule {

std::string rule_of(const NodeProfile& profile, std::string_view key) {
    const auto line = profile.lines.find(std::string{key});
    const std::size_t slash = profile.file.rfind('/');
    const std::string file =
        slash == std::string::npos ? profile.file : profile.file.substr(slash + 1);
    return line == profile.lines.end() ? fmt::format("profile {} ({})", profile.name, key)
                                       : fmt::format("{}:{} ({})", file, line->second, key);
}

namespace {

// "eth1" is part of "dcb eth1" and "sys/class/net/eth1/mtu".
bool has_part(std::string_view where, std::string_view name) {
    const auto all = split(where, ' ');
    return std::ranges::any_of(all, [&](std::string_view word) {
        const auto parts = split(word, '/');
        return std::ranges::count(parts, name) > 0;
    });
}

}  // namespace

std::string why_unread(const NodeSnapshot& snapshot, std::string_view where) {
    for (const HungDevice& hung : snapshot.hung) {
        if (has_part(where, hung.name)) {
            return hung.name + (hung.busy ? " was not read in time" : " does not answer");
        }
    }
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
