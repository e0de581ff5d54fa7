#include "fabric/nccl/interfaces.h"

#include "fabric/nccl/name_list.h"

#include <algorithm>
#include <functional>
#include <optional>
#include <tuple>

namespace ferrule {

namespace {

// The first that passes over interfaces without a link, and knows virbr*.
constexpr NcclVersion kFirstWithRunning{2, 28, 3};
constexpr std::string_view kVariable = "NCCL_SOCKET_IFNAME";

// An entry of the kernel's list of addresses.
struct Listed {
    const Netdev* netdev{nullptr};
    NetAddress address{};
    // In the order of the snapshot.
    std::size_t position{0};
};

using Keep = std::function<bool(const Listed&)>;

// All IPv4 addresses in order of the interface, then all IPv6 ones; of one interface those that
// reach further first.
std::vector<Listed> kernel_order(const NodeSnapshot& snapshot) {
    std::vector<Listed> list;
    for (const Netdev& netdev : snapshot.netdevs) {
        for (const NetAddress& address : netdev.addresses) {
            list.push_back({&netdev, address, list.size()});
        }
    }
    std::ranges::sort(list, {}, [](const Listed& it) {
        const IpAddress& address = it.address.address;
        const bool v6 = address.family == IpFamily::V6;
        return std::tuple{v6, it.netdev->ifindex, v6 && address.is_link_local(), it.position};
    });
    return list;
}

// IFF_RUNNING: the operational state is up, or nobody keeps one.
bool is_running(const Netdev& netdev) {
    return netdev.operstate == "up" || netdev.operstate == "unknown";
}

std::optional<IpFamily> wanted_family(const Environment& environment) {
    const std::string text = value_of(environment, "NCCL_SOCKET_FAMILY");
    if (text == "AF_INET") {
        return IpFamily::V4;
    }
    return text == "AF_INET6" ? std::optional{IpFamily::V6} : std::nullopt;
}

std::vector<NcclInterface> find(const std::vector<Listed>& list, const Keep& keep,
                                const NcclVersion& version) {
    std::vector<NcclInterface> found;
    for (const Listed& it : list) {
        const bool known = std::ranges::count(found, it.netdev->name, &NcclInterface::name) > 0;
        if (!known && keep(it) && found.size() < name_limit(NamesOf::Interfaces, version)) {
            found.push_back({it.netdev->name, it.address.address});
        }
    }
    return found;
}

Keep by_names(std::string_view names, const NcclVersion& version) {
    const NameList list = parse_name_list(names, NamesOf::Interfaces, version);
    return [list](const Listed& it) { return admits(list, it.netdev->name, std::nullopt); };
}

// "a.b.c.d:port" or "[address]:port".
std::optional<IpAddress> address_of_id(std::string_view text) {
    if (text.starts_with('[')) {
        return parse_ip(text.substr(1, text.find(']') - 1));
    }
    return parse_ip(text.substr(0, text.rfind(':')));
}

bool holds(const Listed& it, const IpAddress& address) {
    return prefix_of(it.address.address, it.address.prefix_length).contains(address);
}

// What is left of the kernel's list whatever the names say.
std::vector<Listed> usable(const NodeSnapshot& snapshot, const Environment& environment,
                           const NcclVersion& version) {
    const auto family = wanted_family(environment);
    std::vector<Listed> list = kernel_order(snapshot);
    std::erase_if(list, [&](const Listed& it) {
        const IpAddress& address = it.address.address;
        return (family && address.family != *family) ||
               (address.family == IpFamily::V6 && address.is_loopback()) ||
               (version >= kFirstWithRunning && !is_running(*it.netdev));
    });
    return list;
}

}  // namespace

std::vector<NcclInterface> nccl_interfaces(const NodeSnapshot& snapshot,
                                           const Environment& environment,
                                           const NcclVersion& version) {
    const std::vector<Listed> list = usable(snapshot, environment, version);
    const std::string names = value_of(environment, kVariable);
    if (names.size() > 1) {
        return find(list, by_names(names, version), version);
    }
    const auto id = address_of_id(value_of(environment, "NCCL_COMM_ID"));
    const bool knows_virbr = version >= kFirstWithRunning;
    std::vector<Keep> steps{by_names("ib", version)};
    if (id) {
        steps.emplace_back([&](const Listed& it) { return holds(it, *id); });
    }
    steps.push_back(by_names(knows_virbr ? "^docker,lo,virbr" : "^docker,lo", version));
    steps.push_back(by_names("docker", version));
    steps.push_back(by_names("lo", version));
    if (knows_virbr) {
        steps.push_back(by_names("virbr", version));
    }
    for (const Keep& step : steps) {
        std::vector<NcclInterface> found = find(list, step, version);
        if (!found.empty()) {
            return found;
        }
    }
    return {};
}

NcclBootstrap nccl_bootstrap(const NodeSnapshot& snapshot, const Environment& environment,
                             const NcclVersion& version) {
    if (!environment.contains("NCCL_COMM_ID")) {
        const auto interfaces = nccl_interfaces(snapshot, environment, version);
        return interfaces.empty() ? NcclBootstrap{{}, "Bootstrap : no socket interface found"}
                                  : NcclBootstrap{interfaces.front(), {}};
    }
    const auto id = address_of_id(value_of(environment, "NCCL_COMM_ID"));
    if (!id) {
        return {{}, "Invalid NCCL_COMM_ID, please use format: <ipv4>:<port> or [<ipv6>]:<port>"};
    }
    constexpr NcclVersion kFirstInverted{2, 29, 2};
    constexpr NcclVersion kFirstMended{2, 30, 3};
    const bool inverted =
        id->family == IpFamily::V4 && version >= kFirstInverted && version < kFirstMended;
    for (const Listed& it : usable(snapshot, environment, version)) {
        if (it.address.address.family == id->family && holds(it, *id) != inverted) {
            return {NcclInterface{it.netdev->name, it.address.address}, {}};
        }
    }
    return {{}, "NET/Socket : No usable listening interface found"};
}

}  // namespace ferrule
