// Which keys of a profile are learnt from rails, and what each rail has there: one table. Pure.
#pragma once

#include "fabric/check/scope.h"

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace ferrule {

// One rail of one node.
struct Sample {
    const NodeSnapshot* node{nullptr};
    ScopedPort port{};
    const Netdev* netdev{nullptr};

    [[nodiscard]] std::string name() const { return node->hostname + " " + port.object; }
};

struct LearntKey {
    using Value = std::optional<std::string> (*)(const Sample&);
    // Why a value is not one to freeze; empty for a good one.
    using Doubt = std::string (*)(const std::string&);

    std::string_view key;
    // As the profile words it; nothing where the rail does not tell.
    Value value;
    Doubt doubt;
};

// In the order in which they are written.
[[nodiscard]] std::span<const LearntKey> learnt_keys();

}  // namespace ferrule
