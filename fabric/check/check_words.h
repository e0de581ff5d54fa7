// Words and small questions that many checks share. Pure.
#pragma once

#include "fabric/check/check.h"

#include <string>
#include <string_view>

namespace ferrule {

// "ferrule.conf:12 (rate)": where the profile says so.
[[nodiscard]] std::string rule_of(const NodeProfile& profile, std::string_view key);

// Why a file could not be read, for an object that says unknown: the first problem whose path
// begins with `where`. "not told by this driver" where there is none.
[[nodiscard]] std::string why_unread(const NodeSnapshot& snapshot, std::string_view where);

// "sys/class/infiniband/mlx5_3/ports/1/".
[[nodiscard]] std::string port_path(const ScopedPort& port);

[[nodiscard]] inline bool is_infiniband(const ScopedPort& port) {
    return port.fabric == FabricKind::InfiniBand;
}

[[nodiscard]] inline bool is_roce(const ScopedPort& port) {
    return port.fabric == FabricKind::Roce;
}

[[nodiscard]] inline bool is_active(const ScopedPort& port) {
    return port.port->state == PortState::Active;
}

}  // namespace ferrule
