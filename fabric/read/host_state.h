// What a node's kernel says of itself: its boot, the machine, modules, and settings of the network.
// Source: Documentation/networking/ip-sysctl.rst and Documentation/ABI/testing/
// sysfs-kernel-iommu_groups of Linux 6.12; sysctl(8) of procps for the spelling of names.
#pragma once

#include "fabric/model/host_state.h"
#include "fabric/model/snapshot.h"
#include "fabric/read/dir.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ferrule {

// `dir` is the root. `sysctls` are names to read besides net.ipv4.tcp_ecn and arp_ignore,
// arp_announce, arp_filter and rp_filter of net.ipv4.conf's all, default and each interface, which
// come first, in that order.
[[nodiscard]] HostState read_host_state(const Dir& dir, const std::vector<std::string>& sysctls,
                                        std::vector<ReadProblem>& problems);

// The file of a setting below the root. Dots part a name, but not in an interface's:
// "net.ipv4.conf.bond4.2093.rp_filter" is .../conf/bond4.2093/rp_filter, as is sysctl's spelling
// "net.ipv4.conf.bond4/2093.rp_filter". Nothing for what names no file.
[[nodiscard]] std::optional<std::string> sysctl_file(std::string_view name);

// The first number of proc/uptime, in milliseconds.
[[nodiscard]] std::optional<std::uint64_t> parse_uptime(std::string_view text);

}  // namespace ferrule
