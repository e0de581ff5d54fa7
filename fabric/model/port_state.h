// States and link layer of a port, as sysfs words them.
// Source: Documentation/ABI/stable/sysfs-class-infiniband; InfiniBand specification 14.2.5.6.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace ferrule {

enum class LinkLayer { Unspecified, InfiniBand, Ethernet };
enum class PortState { Nop = 0, Down = 1, Init = 2, Armed = 3, Active = 4, ActiveDefer = 5 };
enum class PhysState {
    Nop = 0,
    Sleep = 1,
    Polling = 2,
    Disabled = 3,
    PortConfigurationTraining = 4,
    LinkUp = 5,
    LinkErrorRecovery = 6,
    PhyTest = 7,
};

// "InfiniBand", "Ethernet"; anything else ("Unknown" on EFA) is Unspecified.
[[nodiscard]] LinkLayer parse_link_layer(std::string_view text);
// "4: ACTIVE": the number decides. A number without a name is kept and prints itself.
[[nodiscard]] std::optional<PortState> parse_port_state(std::string_view text);
[[nodiscard]] std::optional<PhysState> parse_phys_state(std::string_view text);

[[nodiscard]] std::string to_text(LinkLayer layer);
[[nodiscard]] std::string to_text(PortState state);
[[nodiscard]] std::string to_text(PhysState state);

}  // namespace ferrule
