// An Ethernet port as ethtool's netlink messages encode it: answers into values, and questions.
// Pure. Source: Documentation/networking/ethtool-netlink.rst and linux/ethtool_netlink.h of
// Linux 6.1.
#pragma once

#include "fabric/base/result.h"
#include "fabric/model/ethernet_link.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ferrule {

// In the order in which they are asked.
enum class EthtoolQuestion { LinkState, LinkModes, Pause, Fec };

inline constexpr std::array kEthtoolQuestions{EthtoolQuestion::LinkState,
                                              EthtoolQuestion::LinkModes, EthtoolQuestion::Pause,
                                              EthtoolQuestion::Fec};

// "linkstate", "linkmodes", "pause", "fec".
[[nodiscard]] std::string_view to_text(EthtoolQuestion question);

// The number of generic netlink's family "ethtool", which differs from boot to boot. A kernel
// before 5.6 has none: std::errc::no_such_file_or_directory.
[[nodiscard]] std::vector<std::byte> encode_ethtool_family_request();
[[nodiscard]] Result<std::uint16_t> decode_ethtool_family(std::span<const std::byte> messages);

struct EthtoolRequest {
    std::uint16_t family{0};
    EthtoolQuestion question{EthtoolQuestion::LinkState};
    std::string_view netdev{};
};

[[nodiscard]] std::vector<std::byte> encode_ethtool_request(const EthtoolRequest& request);

// `link` with what the answer to `question` tells of it. An attribute that is missing or too short
// leaves its member as it was; a speed or a number of lanes that the kernel calls unknown as well.
//
// Errors: the kernel's own (std::errc::operation_not_supported where the driver, or an old kernel,
// has no answer), std::errc::bad_message for bytes that are no such answer.
[[nodiscard]] Result<EthernetLink> decode_ethtool(std::span<const std::byte> messages,
                                                  EthtoolQuestion question, EthernetLink link);

}  // namespace ferrule
