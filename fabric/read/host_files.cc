#include "fabric/read/host_files.h"

#include "fabric/base/text.h"
#include "fabric/model/plan.h"

#include <algorithm>

namespace ferrule {

namespace {

constexpr std::size_t kFileLimit = 1U << 20U;

}  // namespace

std::vector<std::pair<std::string, std::string>> parse_nccl_conf(std::string_view text) {
    std::vector<std::pair<std::string, std::string>> settings;
    for (std::string_view line : split(text, '\n')) {
        if (line.ends_with('\r')) {
            line.remove_suffix(1);
        }
        const std::size_t equals = line.find('=');
        if (line.starts_with('#') || equals == std::string_view::npos) {
            continue;
        }
        const std::string_view name = line.substr(0, equals);
        const bool known = std::ranges::any_of(
            settings, [&](const auto& setting) { return setting.first == name; });
        if (!known && is_variable_name(name)) {
            settings.emplace_back(name, line.substr(equals + 1));
        }
    }
    return settings;
}

std::optional<std::uint64_t> parse_memlock(std::string_view text) {
    constexpr std::string_view kRow = "Max locked memory";
    for (const std::string_view line : split(text, '\n')) {
        if (line.starts_with(kRow)) {
            const auto columns = words(line.substr(kRow.size()));
            return columns.empty() ? std::nullopt : parse_number<std::uint64_t>(columns.front());
        }
    }
    return std::nullopt;
}

unsigned count_infiniband_functions(const Dir& root) {
    const auto devices = root.sub("sys/bus/pci/devices");
    const auto names = devices ? devices->list() : Result<std::vector<std::string>>{};
    unsigned count = 0;
    for (const std::string& name : names.value_or(std::vector<std::string>{})) {
        const auto pci_class = devices->attribute((name + "/class").c_str());
        count += pci_class && pci_class->starts_with("0x0207") ? 1U : 0U;
    }
    return count;
}

void read_host_files(const Dir& root, NodeSnapshot& snapshot) {
    if (const auto text = root.text("etc/nccl.conf", kFileLimit)) {
        snapshot.nccl_conf = parse_nccl_conf(*text);
    }
    constexpr const char* kLimits = "proc/self/limits";
    const auto limits = root.text(kLimits, kFileLimit);
    if (limits) {
        snapshot.memlock_limit = parse_memlock(*limits);
    } else if (limits.error().code != std::errc::no_such_file_or_directory) {
        snapshot.problems.push_back(
            {kLimits, limits.error().code.value(), limits.error().code.message()});
    }
}

}  // namespace ferrule
