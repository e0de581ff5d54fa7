// An Ethernet port as the ethtool interface of the kernel tells it.
// Source: Documentation/networking/ethtool-netlink.rst of Linux 6.1.
#pragma once

#include "fabric/model/counter.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ferrule {

// Global (802.3x) pause, which excludes PFC.
struct PauseState {
    bool autonegotiated{false};
    bool receive{false};
    bool transmit{false};

    bool operator==(const PauseState&) const = default;
};

struct EthernetLink {
    std::optional<PauseState> pause{};
    std::optional<bool> link_up{};
    // Why the link is down, in the kernel's words: "No cable", "Remote fault"; empty when untold.
    std::string down_reason{};
    // Mb/s and lanes; absent while the link is down.
    std::optional<unsigned> speed{};
    std::optional<unsigned> lanes{};
    // Active modes of forward error correction: "RS", "BaseR", "Off"; absent where untold.
    std::optional<std::string> fec{};
    // Blocks; absent where the driver does not count them.
    std::optional<std::uint64_t> fec_corrected{};
    std::optional<std::uint64_t> fec_uncorrectable{};
    // The driver's own names, as `ethtool -S` prints them, in its order.
    Counters statistics{};

    bool operator==(const EthernetLink&) const = default;
};

}  // namespace ferrule
