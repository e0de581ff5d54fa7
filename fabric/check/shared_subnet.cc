#include "fabric/base/text.h"
#include "fabric/check/check_words.h"
#include "fabric/check/checks.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace ferrule {

namespace {

// The larger of the value for all interfaces and that of this one, as the kernel takes it.
std::optional<unsigned> setting(const NodeSnapshot& snapshot, const std::string& netdev,
                                std::string_view name) {
    std::optional<unsigned> largest;
    for (const std::string& where : {std::string{"all"}, netdev}) {
        const std::string key = fmt::format("net.ipv4.conf.{}.{}", where, name);
        const auto found = std::ranges::find(snapshot.host.sysctls, key,
                                             &std::pair<std::string, std::string>::first);
        if (found != snapshot.host.sysctls.end()) {
            const auto value = parse_number<unsigned>(found->second);
            largest = std::max(largest.value_or(0), value.value_or(0));
        }
    }
    return largest;
}

// Interfaces that answer for each other's addresses.
std::optional<bool> in_flux(const NodeSnapshot& snapshot, const std::string& netdev) {
    const auto ignore = setting(snapshot, netdev, "arp_ignore");
    const auto announce = setting(snapshot, netdev, "arp_announce");
    if (!ignore || !announce) {
        return std::nullopt;
    }
    return *ignore == 0 || *announce < 2;
}

std::map<std::string, std::vector<const Netdev*>> by_subnet(const CheckInput& input) {
    std::map<std::string, std::vector<const Netdev*>> subnets;
    for (const ScopedPort& port : input.scope.ports) {
        if (!is_roce(port) || port.netdev == nullptr) {
            continue;
        }
        for (const NetAddress& it : port.netdev->addresses) {
            const bool counts = it.address.family == IpFamily::V4 && !it.address.is_link_local();
            // A VRF keeps its interfaces apart.
            auto& netdevs = subnets[port.netdev->master + " " +
                                    to_text(prefix_of(it.address, it.prefix_length))];
            if (counts && std::ranges::count(netdevs, port.netdev) == 0) {
                netdevs.push_back(port.netdev);
            }
        }
    }
    return subnets;
}

}  // namespace

void check_shared_subnet(const CheckInput& input, Findings& findings) {
    for (const auto& [subnet, netdevs] : by_subnet(input)) {
        for (std::size_t i = 0; netdevs.size() > 1 && i < netdevs.size(); ++i) {
            const std::string& name = netdevs[i]->name;
            const auto flux = in_flux(input.snapshot, name);
            const std::string seen =
                fmt::format("{} with {} other rails", trimmed(subnet), netdevs.size() - 1);
            if (!flux) {
                findings.unknown(name, seen + ", and its ARP settings could not be read");
            } else if (*flux) {
                findings.fail({name, seen + ", and each answers for all",
                               "arp_ignore 1 and arp_announce 2", "a rail answers for itself only",
                               "sysctl net.ipv4.conf.all.arp_ignore=1 net.ipv4.conf.all."
                               "arp_announce=2, and a routing table for each rail; better a subnet "
                               "for each"});
            } else {
                findings.pass(name, seen + ", each answers for itself");
            }
        }
    }
    if (!findings.empty()) {
        return;
    }
    constexpr std::string_view kAddresses = "rtnetlink addresses";
    const auto& problems = input.snapshot.problems;
    if (std::ranges::count(problems, kAddresses, &ReadProblem::where) > 0) {
        findings.unknown("node", why_unread(input.snapshot, kAddresses));
    } else {
        findings.pass("node", "no two rails share a subnet");
    }
}

}  // namespace ferrule
