#include "fabric/check/learn.h"

#include "fabric/base/text.h"
#include "fabric/check/learnt_keys.h"
#include "fabric/check/scope.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <optional>

namespace ferrule {

namespace {

// What one key has on all rails.
struct Tally {
    // Value, and whose it is.
    std::map<std::string, std::vector<std::string>> values{};
    std::size_t asked{0};
};

Tally tally(const std::vector<Sample>& samples, LearntKey::Value value) {
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
std::string key_lines(std::string_view key, const Tally& all, LearntKey::Doubt doubt) {
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
    // More may be made later: virtual and sub-functions.
    return std::to_string(node.hcas.size()) + "+";
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

// Cables of one node; another has others.
std::string switch_ports(const NodeSnapshot& node) {
    std::vector<std::string> ports;
    for (const ScopedPort& port : scope_of(node, {}).ports) {
        if (port.netdev == nullptr || !port.netdev->lldp) {
            return {};
        }
        const LldpNeighbour& neighbour = *port.netdev->lldp;
        ports.push_back(neighbour.system_name + ":" + neighbour.port_id);
    }
    return joined(ports, ", ");
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
        if (std::ranges::count(names, node.hostname) == 0) {
            names.push_back(node.hostname);
        }
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
    for (const LearntKey& key : learnt_keys()) {
        text += key_lines(key.key, tally(samples, key.value), key.doubt);
    }
    text += node_key("hcas", nodes, hca_count);
    text += node_key("modules", nodes, rdma_modules);
    text += node_key("efa_devices", nodes, efa_devices);
    if (nodes.size() == 1) {
        text += node_key("switch_ports", nodes, switch_ports);
    }
    text += node_key("gpus", nodes, gpu_count);
    text += node_key("gpudirect", nodes, peer_memory);
    return text;
}

}  // namespace ferrule
