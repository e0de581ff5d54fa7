#include "fabric/check/learn.h"

#include "fabric/base/text.h"
#include "fabric/check/compare.h"
#include "fabric/check/gid_words.h"
#include "fabric/check/scope.h"
#include "fabric/policy/rails.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <optional>

namespace ferrule {

namespace {

// One rail of one node.
struct Sample {
    const NodeSnapshot* node{nullptr};
    ScopedPort port{};
    const Netdev* netdev{nullptr};

    [[nodiscard]] std::string name() const { return node->hostname + " " + port.object; }
};

// What one key has on all rails.
struct Tally {
    // Value, and whose it is.
    std::map<std::string, std::vector<std::string>> values{};
    std::size_t asked{0};
};

using Value = std::function<std::optional<std::string>(const Sample&)>;
// Why a value is not one to freeze; empty for a good one.
using Doubt = std::string (*)(const std::string&);

std::string no_doubt(const std::string&) {
    return {};
}

Tally tally(const std::vector<Sample>& samples, const Value& value) {
    Tally all{};
    for (const Sample& sample : samples) {
        ++all.asked;
        if (const auto seen = value(sample)) {
            all.values[*seen].push_back(sample.name());
        }
    }
    return all;
}

std::string deviants_text(const Tally& all, const std::string& most) {
    std::vector<std::string> texts;
    for (const auto& [value, names] : all.values) {
        if (value != most) {
            texts.push_back(fmt::format("{} has {}", fmt::join(names, ", "), value));
        }
    }
    return texts.empty() ? std::string{} : "; " + fmt::format("{}", fmt::join(texts, "; "));
}

// A list may be longer than a line of the file: it goes on on indented lines.
std::string assignment(std::string_view key, const std::string& value) {
    constexpr std::size_t kWidth = 100;
    std::string text = fmt::format("{} =", key);
    std::size_t column = text.size();
    std::string_view separator;
    for (const std::string_view piece : split(value, ',')) {
        text += separator;
        if (column + piece.size() > kWidth) {
            text += "\n   ";
            column = 3;
        }
        text += fmt::format(" {}", trimmed(piece));
        column += piece.size() + 2;
        separator = ",";
    }
    return text + "\n";
}

// "key = value" below a comment; a comment only, where there is doubt or no majority.
std::string key_lines(std::string_view key, const Tally& all, Doubt doubt) {
    if (all.values.empty()) {
        return {};
    }
    const auto most = std::ranges::max_element(
        all.values, {}, [](const auto& entry) { return entry.second.size(); });
    const std::size_t known = most->second.size();
    const std::string support =
        fmt::format("# {} of {} rails{}\n", known, all.asked, deviants_text(all, most->first));
    std::size_t all_known = 0;
    for (const auto& [value, names] : all.values) {
        all_known += names.size();
    }
    const std::string why = doubt(most->first);
    if (!why.empty()) {
        return fmt::format("{}# not frozen: {}\n#{} = {}\n", support, why, key, most->first);
    }
    if (known * 2 <= all_known) {
        return fmt::format("{}# not frozen: no majority\n#{} = {}\n", support, key, most->first);
    }
    return support + assignment(key, most->first);
}

std::optional<std::string> known_text(const std::string& text) {
    // A list has no place for a blank or a comma inside of a value.
    const bool plain = !text.empty() && text.find_first_of(" ,;#") == std::string::npos;
    return plain ? std::optional{text} : std::nullopt;
}

std::optional<std::string> rate_text(const Sample& it) {
    constexpr unsigned kMegabitsInATenth = 100;
    if (!is_active(it.port) || it.port.fabric == FabricKind::Efa) {
        return std::nullopt;
    }
    if (is_roce(it.port) && it.netdev != nullptr && it.netdev->speed) {
        return gbps_text(it.netdev->speed.value_or(0) / kMegabitsInATenth);
    }
    const auto rate = known_rate({it.port.hca, it.port.port});
    return rate ? std::optional{gbps_text(*rate)} : std::nullopt;
}

std::optional<std::string> mtu_text(const Sample& it) {
    const bool counts = is_roce(it.port) && it.netdev != nullptr && it.netdev->mtu;
    return counts ? std::optional{std::to_string(it.netdev->mtu.value_or(0))} : std::nullopt;
}

std::string doubt_mtu(const std::string& value) {
    constexpr unsigned kSmallest = 2200;
    return parse_number<unsigned>(value).value_or(0) < kSmallest
               ? "RDMA packets of 4096 bytes need an MTU of 4200 or more"
               : std::string{};
}

std::optional<std::string> active_mtu_text(const Sample& it) {
    const auto& mtu = it.port.port->active_mtu;
    return mtu && is_active(it.port) ? std::optional{std::to_string(*mtu)} : std::nullopt;
}

std::string doubt_active_mtu(const std::string& value) {
    constexpr unsigned kSmallest = 2048;
    return parse_number<unsigned>(value).value_or(0) < kSmallest
               ? "small packets cost bandwidth; raise the MTU of the interfaces first"
               : std::string{};
}

// Of the first interface; members of a bond are alike, or the check says so.
const DcbState* dcb_of(const Sample& it) {
    for (const Netdev* const netdev : physical_netdevs(*it.node, it.port)) {
        if (netdev->dcb) {
            return &*netdev->dcb;
        }
    }
    return nullptr;
}

std::optional<std::string> pfc_text(const Sample& it) {
    const DcbState* const dcb = dcb_of(it);
    return dcb != nullptr && dcb->pfc ? std::optional{to_text(dcb->pfc->enabled)} : std::nullopt;
}

std::string doubt_pfc(const std::string& value) {
    return value == "none" ? "RoCE without PFC drops under load; if that is meant, take the # away"
                           : std::string{};
}

std::optional<std::string> trust_text(const Sample& it) {
    const DcbState* const dcb = dcb_of(it);
    const auto trust = dcb != nullptr ? trust_of(*dcb) : std::nullopt;
    return trust ? std::optional{std::string{to_text(*trust)}} : std::nullopt;
}

std::string doubt_trust(const std::string& value) {
    return value == "pcp" ? "RoCE v2 is marked by DSCP" : std::string{};
}

// Entries that differ from the default map.
std::optional<std::string> dscp_map_text(const Sample& it) {
    const DcbState* const dcb = dcb_of(it);
    if (dcb == nullptr || !dcb->applications) {
        return std::nullopt;
    }
    const auto map = priority_of_dscp(*dcb->applications);
    const PrioritySet pfc = dcb->pfc ? dcb->pfc->enabled : PrioritySet{};
    std::vector<std::string> entries;
    entries.reserve(kDscps);
    constexpr std::size_t kRoceDscp = 26;
    for (std::size_t dscp = 0; dscp < kDscps; ++dscp) {
        const bool of_roce = dscp == kRoceDscp && pfc.has(map.at(dscp));
        if (map.at(dscp) != dscp >> 3U || of_roce) {
            entries.push_back(fmt::format("{}:{}", dscp, map.at(dscp)));
        }
    }
    return entries.empty() ? std::nullopt : std::optional{joined(entries, ", ")};
}

std::optional<std::string> pause_text(const Sample& it) {
    if (!is_roce(it.port) || it.netdev == nullptr || !it.netdev->ethernet ||
        !it.netdev->ethernet->pause) {
        return std::nullopt;
    }
    const PauseState pause = it.netdev->ethernet->pause.value_or(PauseState{});
    return std::string{pause.receive || pause.transmit ? "on" : "off"};
}

std::string doubt_pause(const std::string& value) {
    return value == "on" ? "global pause stops all traffic of a port" : std::string{};
}

std::optional<std::string> fec_text(const Sample& it) {
    const bool told = is_roce(it.port) && it.netdev != nullptr && it.netdev->ethernet;
    return told ? it.netdev->ethernet->fec : std::nullopt;
}

std::optional<std::string> width_text(const Sample& it) {
    const auto& rate = it.port.port->rate;
    const bool counts = is_infiniband(it.port) && is_active(it.port) && rate;
    return counts ? std::optional{std::to_string(rate->lanes)} : std::nullopt;
}

std::string doubt_width(const std::string& value) {
    constexpr unsigned kUsual = 4;
    return parse_number<unsigned>(value).value_or(0) < kUsual
               ? "a port has four lanes, unless a splitting cable is meant"
               : std::string{};
}

std::optional<std::string> family_text(const Sample& it) {
    const GidEntry* const entry = needs_gid(it.port) ? usable_gid({}, it.port) : nullptr;
    if (entry == nullptr) {
        return std::nullopt;
    }
    return std::string{entry->gid.address().family == IpFamily::V4 ? "ipv4" : "ipv6"};
}

std::optional<std::string> link_of(const Sample& it, bool speed) {
    const auto& pcie = it.port.hca->pcie;
    const bool told = pcie && !pcie->path.empty() && pcie->path.front().current;
    if (!told) {
        return std::nullopt;
    }
    const PciLink link = pcie->path.front().current.value_or(PciLink{});
    const PciLink most = pcie->path.front().max.value_or(link);
    const bool below = link.lanes < most.lanes;
    const std::string text = speed ? gbps_text(link.tenth_gts) : std::to_string(link.lanes);
    // Below what the card can do: told apart from the same figure of a card that can no more.
    return below && !speed ? text + " below its capability" : text;
}

std::string doubt_pcie(const std::string& value) {
    return value.find("below") == std::string::npos ? std::string{}
                                                    : "the card can do more: look at its slot";
}

struct LearntKey {
    std::string_view key;
    std::optional<std::string> (*value)(const Sample&);
    Doubt doubt;
};

constexpr std::array kKeys{
    LearntKey{"link_layer",
              [](const Sample& it) -> std::optional<std::string> {
                  const LinkLayer layer = it.port.port->link_layer;
                  return layer == LinkLayer::Unspecified ? std::nullopt
                                                         : std::optional{to_text(layer)};
              },
              no_doubt},
    LearntKey{"rate", rate_text, no_doubt},
    LearntKey{"width", width_text, doubt_width},
    LearntKey{"mtu", mtu_text, doubt_mtu},
    LearntKey{"active_mtu", active_mtu_text, doubt_active_mtu},
    LearntKey{"pfc", pfc_text, doubt_pfc},
    LearntKey{"trust", trust_text, doubt_trust},
    LearntKey{"dscp_map", dscp_map_text, no_doubt},
    LearntKey{"global_pause", pause_text, doubt_pause},
    LearntKey{"fec", fec_text, no_doubt},
    LearntKey{"gid_family", family_text, no_doubt},
    LearntKey{"firmware", [](const Sample& it) { return known_text(it.port.hca->firmware); },
              no_doubt},
    LearntKey{"driver", [](const Sample& it) { return known_text(it.port.hca->driver); }, no_doubt},
    LearntKey{"board", [](const Sample& it) { return known_text(it.port.hca->board_id); },
              no_doubt},
    LearntKey{"pcie_speed", [](const Sample& it) { return link_of(it, true); }, no_doubt},
    LearntKey{"pcie_width", [](const Sample& it) { return link_of(it, false); }, doubt_pcie},
};

std::vector<Sample> samples_of(const std::vector<NodeSnapshot>& nodes) {
    std::vector<Sample> samples;
    for (const NodeSnapshot& node : nodes) {
        const Scope scope = scope_of(node, {});
        for (const ScopedPort& port : scope.ports) {
            samples.push_back({&node, port, port.netdev});
        }
    }
    return samples;
}

// How one node names its rails: by PCI address, which survives a renaming.
std::string rails_of(const NodeSnapshot& node) {
    std::vector<std::string> names;
    for (const ScopedPort& port : scope_of(node, {}).ports) {
        const auto& address = port.hca->pci.address;
        const bool several = port.hca->ports.size() > 1;
        const std::string name = address ? to_text(*address) : port.hca->name;
        names.push_back(several ? fmt::format("{}:{}", name, port.port->number) : name);
    }
    return joined(names, ", ");
}

// A value of the whole node, by majority of nodes.
std::string node_key(std::string_view key, const std::vector<NodeSnapshot>& nodes,
                     const std::function<std::string(const NodeSnapshot&)>& value) {
    std::map<std::string, std::vector<std::string>> values;
    for (const NodeSnapshot& node : nodes) {
        values[value(node)].push_back(node.hostname);
    }
    const auto most =
        std::ranges::max_element(values, {}, [](const auto& entry) { return entry.second.size(); });
    if (most == values.end() || most->first.empty()) {
        return {};
    }
    std::string text = fmt::format("# {} of {} nodes", most->second.size(), nodes.size());
    for (const auto& [other, names] : values) {
        if (other != most->first) {
            text +=
                fmt::format("; {} has {}", fmt::join(names, ", "), other.empty() ? "none" : other);
        }
    }
    const bool clear = most->second.size() * 2 > nodes.size();
    return text + "\n" +
           (clear ? assignment(key, most->first)
                  : fmt::format("# not frozen: no majority\n#{} = {}\n", key, most->first));
}

std::string efa_devices(const NodeSnapshot& node) {
    const auto count = std::ranges::count(node.hcas, "efa", &Hca::driver);
    return count == 0 ? std::string{} : std::to_string(count);
}

std::string hca_count(const NodeSnapshot& node) {
    return std::to_string(node.hcas.size());
}

// Modules that the fabric and its tools need, as far as they are loaded.
std::string rdma_modules(const NodeSnapshot& node) {
    constexpr std::array<std::string_view, 12> kModules{
        "ib_core", "ib_uverbs", "ib_umad", "rdma_cm", "rdma_ucm", "mlx5_ib",
        "mlx4_ib", "bnxt_re",   "irdma",   "efa",     "hfi1",     "ionic_rdma"};
    std::vector<std::string> loaded;
    loaded.reserve(kModules.size());
    for (const std::string_view module : kModules) {
        if (std::ranges::count(node.host.modules, module) > 0) {
            loaded.emplace_back(module);
        }
    }
    return joined(loaded, ", ");
}

std::string peer_memory(const NodeSnapshot& node) {
    const bool loaded = std::ranges::count(node.host.modules, "nvidia_peermem") > 0;
    return loaded && !node.gpus.empty() ? "peermem" : std::string{};
}

std::string gpu_count(const NodeSnapshot& node) {
    return node.gpus.empty() ? std::string{} : std::to_string(node.gpus.size());
}

}  // namespace

std::string learn_profile(const std::vector<NodeSnapshot>& nodes) {
    std::vector<std::string> names;
    names.reserve(nodes.size());
    for (const NodeSnapshot& node : nodes) {
        names.push_back(node.hostname);
    }
    std::string text = fmt::format(
        "# Learnt from {}. Read it before you trust it: a fault that most of them\n"
        "# share is learnt too.\n[profile learnt]\n{}",
        nodes.size() == 1 ? "one node" : fmt::format("{} nodes", nodes.size()),
        assignment("nodes", joined(names, ",")));
    const auto samples = samples_of(nodes);
    if (samples.empty()) {
        return text + "# No rail was found on any of them.\n";
    }
    text += node_key("rails", nodes, rails_of);
    for (const LearntKey& key : kKeys) {
        text += key_lines(key.key, tally(samples, key.value), key.doubt);
    }
    text += node_key("hcas", nodes, hca_count);
    text += node_key("modules", nodes, rdma_modules);
    text += node_key("efa_devices", nodes, efa_devices);
    text += node_key("gpus", nodes, gpu_count);
    text += node_key("gpudirect", nodes, peer_memory);
    return text;
}

}  // namespace ferrule
