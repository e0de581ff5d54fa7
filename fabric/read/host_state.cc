#include "fabric/read/host_state.h"

#include "fabric/read/attributes.h"

#include <algorithm>
#include <array>
#include <cerrno>

namespace ferrule {

namespace {

constexpr const char* kFolder = "proc/sys/";

// Some settings are rows of numbers with tabs between them.
std::string with_single_blanks(const std::string& text) {
    std::string value;
    for (const std::string_view word : words(text)) {
        value.append(value.empty() ? "" : " ").append(word);
    }
    return value;
}

// Nothing of a directory that is not there.
std::optional<std::vector<std::string>> listing(const Attributes& root, const char* path) {
    const auto names = root.dir().list(path);
    if (!names && names.error().code != std::errc::no_such_file_or_directory) {
        root.problem(path, names.error());
    }
    return names ? std::optional{*names} : std::nullopt;
}

void read_sysctl(const Attributes& root, const std::string& name, HostState& host) {
    const auto file = sysctl_file(name);
    if (!file) {
        root.problems().push_back({name, EINVAL, "no name of a setting of the kernel"});
    } else if (const auto value = root.text(file->c_str())) {
        host.sysctls.emplace_back(name, with_single_blanks(*value));
    }
}

void read_interface(const Attributes& root, const std::string& interface, HostState& host) {
    for (const char* setting : {"arp_ignore", "arp_announce", "arp_filter", "rp_filter"}) {
        read_sysctl(root, joined({"net.ipv4.conf", interface, setting}, "."), host);
    }
}

void read_interfaces(const Attributes& root, HostState& host) {
    auto names = listing(root, "proc/sys/net/ipv4/conf").value_or(std::vector<std::string>{});
    for (const char* common : {"all", "default"}) {
        if (std::erase(names, common) != 0) {
            read_interface(root, common, host);
        }
    }
    for (const std::string& interface : names) {
        read_interface(root, interface, host);
    }
}

// Where an interface stands in a name, the text in front of it.
std::string_view in_front_of_interface(std::string_view name) {
    constexpr std::array<std::string_view, 4> kFamilies{"net.ipv4.conf.", "net.ipv6.conf.",
                                                        "net.ipv4.neigh.", "net.ipv6.neigh."};
    const auto* const found = std::ranges::find_if(
        kFamilies, [&](std::string_view family) { return name.starts_with(family); });
    return found == kFamilies.end() ? std::string_view{} : *found;
}

std::string replaced(std::string_view text, char from, char to) {
    std::string result{text};
    std::ranges::replace(result, from, to);
    return result;
}

bool is_file_name(std::string_view name) {
    return !name.empty() && name != "." && name != ".." && name.find('/') == std::string_view::npos;
}

}  // namespace

std::optional<std::string> sysctl_file(std::string_view name) {
    const std::string_view family = in_front_of_interface(name);
    const std::string_view rest = name.substr(family.size());
    if (family.empty()) {
        const auto pieces = split(name, '.');
        const bool good = !pieces.empty() && std::ranges::all_of(pieces, is_file_name);
        return good ? std::optional{kFolder + replaced(name, '.', '/')} : std::nullopt;
    }
    const std::size_t dot = rest.rfind('.');
    const std::string interface = replaced(rest.substr(0, dot), '/', '.');
    if (dot == std::string_view::npos || !is_file_name(interface) ||
        !is_file_name(rest.substr(dot + 1))) {
        return std::nullopt;
    }
    return kFolder + replaced(family, '.', '/') + interface + "/" +
           std::string{rest.substr(dot + 1)};
}

std::optional<std::uint64_t> parse_uptime(std::string_view text) {
    const auto columns = words(text);
    const std::string_view seconds = columns.empty() ? std::string_view{} : columns.front();
    const std::size_t dot = seconds.find('.');
    const auto whole = parse_number<std::uint64_t>(seconds.substr(0, dot));
    const std::string_view behind =
        dot == std::string_view::npos ? std::string_view{"00"} : seconds.substr(dot + 1);
    const auto hundredths = parse_number<std::uint64_t>(behind);
    constexpr std::uint64_t kMost = UINT64_MAX / 1000 - 1;
    if (!whole || !hundredths || behind.size() != 2 || *whole > kMost) {
        return std::nullopt;
    }
    return (*whole * 1000) + (*hundredths * 10);
}

HostState read_host_state(const Dir& dir, const std::vector<std::string>& sysctls,
                          std::vector<ReadProblem>& problems) {
    const Attributes root{dir, {}, problems};
    HostState host{};
    host.boot_id = root.text_or_empty("proc/sys/kernel/random/boot_id");
    host.uptime_ms = root.value("proc/uptime", parse_uptime);
    host.product = root.text_or_empty("sys/class/dmi/id/product_name");
    host.modules = listing(root, "sys/module").value_or(std::vector<std::string>{});
    std::ranges::sort(host.modules);
    if (const auto groups = listing(root, "sys/kernel/iommu_groups")) {
        host.iommu = !groups->empty();
    }
    read_sysctl(root, "net.ipv4.tcp_ecn", host);
    read_interfaces(root, host);
    for (const std::string& name : sysctls) {
        const auto is_it = [&](const auto& setting) { return setting.first == name; };
        if (std::ranges::none_of(host.sysctls, is_it)) {
            read_sysctl(root, name, host);
        }
    }
    return host;
}

}  // namespace ferrule
