#include "fabric/nccl/simulation.h"

#include "fabric/nccl/gid_rule.h"
#include "fabric/nccl/name_list.h"
#include "fabric/nccl/numbers.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

namespace ferrule {

namespace {

constexpr NcclVersion kFirstInPciOrder{2, 29, 7};

// A device with the place it takes in the order.
struct Opened {
    NcclPort port{};
    std::optional<PciAddress> pci{};
    std::size_t position{0};
};

bool opens(const Hca& hca, std::vector<std::string>& warnings) {
    if (!hca.uverbs.empty() && !hca.openable) {
        warnings.push_back(fmt::format("NET/IB : Unable to open device {}", hca.name));
    }
    return !hca.uverbs.empty() && hca.openable;
}

void choose_gid(const Port& port, const Environment& environment, const NcclVersion& version,
                NcclPort& chosen, NcclOutcome& outcome) {
    const GidOutcome gid = nccl_gid(port, environment, version);
    chosen.gid_index = gid.index;
    const auto found = std::ranges::find(port.gids, gid.index, &GidEntry::index);
    if (found != port.gids.end()) {
        chosen.gid = *found;
    }
    if (!gid.unreadable) {
        return;
    }
    if (version < kFirstNcclPastUnreadableRows) {
        outcome.error = fmt::format(
            "{} port {}: read failed in ncclIbRoceGetVersionNum: the type of a GID of another "
            "network namespace cannot be read",
            chosen.hca, chosen.port);
    } else {
        outcome.warnings.push_back(
            fmt::format("{} port {}: a GID of another network namespace may be taken", chosen.hca,
                        chosen.port));
    }
}

std::vector<NcclPort> in_order(std::vector<Opened> opened, const Environment& environment,
                               const NcclVersion& version) {
    if (version >= kFirstInPciOrder &&
        nccl_number(environment, "NCCL_IB_DEVICE_PCI_ORDER", 1) != 0) {
        std::ranges::sort(opened, {}, [](const Opened& it) {
            return std::tuple{!it.pci.has_value(), it.pci.value_or(PciAddress{}), it.position};
        });
    }
    std::vector<NcclPort> ports;
    ports.reserve(opened.size());
    for (Opened& it : opened) {
        ports.push_back(std::move(it.port));
    }
    return ports;
}

// NCCL compares names of networks without case.
std::string net_of(const Environment& environment) {
    std::string net = value_of(environment, "NCCL_NET");
    std::ranges::transform(net, net.begin(), [](char c) {
        return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    });
    return net;
}

bool wants_verbs(const Environment& environment) {
    const std::string net = net_of(environment);
    return nccl_number(environment, "NCCL_IB_DISABLE", 0) == 0 && (net.empty() || net == "ib");
}

void open_ports(const NodeSnapshot& snapshot, const Environment& environment,
                const NcclVersion& version, NcclOutcome& outcome) {
    const NameList list =
        parse_name_list(value_of(environment, "NCCL_IB_HCA"), NamesOf::Hcas, version);
    if (list.dropped > 0) {
        outcome.warnings.push_back(
            fmt::format("NCCL_IB_HCA: entries beyond the first {} are dropped without a word",
                        name_limit(NamesOf::Hcas, version)));
    }
    std::vector<Opened> opened;
    for (const Hca& hca : snapshot.hcas) {
        if (!opens(hca, outcome.warnings)) {
            continue;
        }
        for (const Port& port : hca.ports) {
            const bool usable =
                port.state == PortState::Active && port.link_layer != LinkLayer::Unspecified;
            if (!usable || opened.size() == name_limit(NamesOf::Hcas, version) ||
                !admits(list, hca.name, static_cast<int>(port.number))) {
                continue;
            }
            NcclPort chosen{hca.name, port.number, port.link_layer, {}, {}};
            if (port.link_layer == LinkLayer::Ethernet) {
                choose_gid(port, environment, version, chosen, outcome);
            }
            opened.push_back({std::move(chosen), hca.pci.address, opened.size()});
        }
    }
    outcome.ports = in_order(std::move(opened), environment, version);
}

}  // namespace

NcclOutcome simulate_nccl(const NodeSnapshot& snapshot, Environment environment,
                          const NcclVersion& version) {
    for (const auto& [name, value] : snapshot.nccl_conf) {
        environment.try_emplace(name, value);
    }
    NcclOutcome outcome{};
    const NcclBootstrap bootstrap = nccl_bootstrap(snapshot, environment, version);
    outcome.bootstrap = bootstrap.interface;
    outcome.interfaces = nccl_interfaces(snapshot, environment, version);
    if (!bootstrap.interface || outcome.interfaces.empty()) {
        outcome.error =
            bootstrap.error.empty() ? "NET/IB : No IP interface found." : bootstrap.error;
        return outcome;
    }
    if (wants_verbs(environment)) {
        open_ports(snapshot, environment, version, outcome);
    }
    if (outcome.ports.empty() && net_of(environment) == "ib") {
        outcome.error = "Failed to initialize any NET plugin";
    }
    return outcome;
}

}  // namespace ferrule
