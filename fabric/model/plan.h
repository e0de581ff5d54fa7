// What Ferrule decided for a job on one node, with the reason of every part of it.
#pragma once

#include "fabric/model/nccl_version.h"
#include "fabric/model/pci.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ferrule {

// What the user asked of the plugin: --fabric=auto|off|tcp.
enum class FabricMode { Auto, Off, Tcp };

// The compute fabric of a node; one kind per node.
enum class FabricKind { None, InfiniBand, Roce, Efa };

// One port of one HCA: a compute rail, or why it is none.
struct PortVerdict {
    std::string hca{};
    unsigned port{1};
    std::string netdev{};
    std::optional<PciAddress> pci{};
    bool used{false};
    std::string reason{};

    bool operator==(const PortVerdict&) const = default;
};

struct InterfaceVerdict {
    std::string name{};
    bool used{false};
    std::string reason{};

    bool operator==(const InterfaceVerdict&) const = default;
};

// One variable. Without a value it is left alone, on purpose, and the reason says why.
struct EnvChange {
    std::string name{};
    std::optional<std::string> value{};
    std::string reason{};
    // Variables that only make sense together share a group: a user who sets one of them owns all.
    std::string group{};
    // The variable whose planned value this one was made for: where the user sets that, this one is
    // left out.
    std::string made_for{};

    bool operator==(const EnvChange&) const = default;
};

// What NCCL of these versions would do with the node under the resulting environment.
struct NcclForecast {
    NcclVersion first{};
    NcclVersion last{};
    bool as_planned{false};
    std::string text{};

    bool operator==(const NcclForecast&) const = default;
};

struct EnvPlan {
    FabricMode mode{FabricMode::Auto};
    FabricKind fabric{FabricKind::None};
    std::string profile{};
    std::vector<PortVerdict> ports{};
    std::vector<InterfaceVerdict> interfaces{};
    std::vector<EnvChange> variables{};
    // Only where somebody asked for them.
    std::vector<NcclForecast> forecasts{};
    // Sentences that belong to the node as a whole.
    std::vector<std::string> notes{};

    bool operator==(const EnvPlan&) const = default;
};

// Letters, digits and underscores, no digit first.
[[nodiscard]] bool is_variable_name(std::string_view name);

[[nodiscard]] std::optional<FabricMode> parse_fabric_mode(std::string_view text);
[[nodiscard]] std::string_view to_text(FabricMode mode);
[[nodiscard]] std::string_view to_text(FabricKind kind);

}  // namespace ferrule
