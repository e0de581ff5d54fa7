// Data Center Bridging of an Ethernet port: what makes it lossless.
// Source: IEEE 802.1Q-2018 clauses 36 (PFC) and 37 (ETS); linux/dcbnl.h of Linux 6.1.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ferrule {

inline constexpr std::size_t kPriorities = 8;
inline constexpr std::size_t kDscps = 64;

// A set of priorities: bit n is priority n.
struct PrioritySet {
    std::uint8_t bits{0};

    [[nodiscard]] bool has(unsigned priority) const {
        return priority < kPriorities && ((bits >> priority) & 1U) != 0;
    }

    bool operator==(const PrioritySet&) const = default;
};

struct PfcState {
    // How many priorities the port can pause.
    unsigned capable{0};
    PrioritySet enabled{};
    bool macsec_bypass{false};
    // Bit times, or on mlx5 the length of the cable that the driver was told.
    std::uint16_t delay{0};
    // PFC frames sent and received, by priority; on mlx5 a cache that only ethtool refreshes.
    std::array<std::uint64_t, kPriorities> sent{};
    std::array<std::uint64_t, kPriorities> received{};

    bool operator==(const PfcState&) const = default;
};

enum class TransmitSelection { Strict = 0, CreditShaper = 1, Ets = 2, Vendor = 255 };

struct EtsState {
    bool willing{false};
    // How many traffic classes the port has.
    unsigned classes{0};
    // Percent, by traffic class.
    std::array<std::uint8_t, kPriorities> bandwidth{};
    std::array<TransmitSelection, kPriorities> selection{};
    std::array<std::uint8_t, kPriorities> class_of_priority{};

    bool operator==(const EtsState&) const = default;
};

// The kinds of protocol that an application entry may name.
enum class AppSelector { Ethertype = 1, Tcp = 2, Udp = 3, AnyPort = 4, Dscp = 5, Pcp = 255 };

// "Packets of this protocol have this priority". Of selector Dscp the protocol is the DSCP.
struct AppEntry {
    AppSelector selector{AppSelector::Ethertype};
    std::uint16_t protocol{0};
    std::uint8_t priority{0};

    bool operator==(const AppEntry&) const = default;
};

struct ReceiveBuffers {
    std::array<std::uint8_t, kPriorities> buffer_of_priority{};
    // Bytes; 0 is a buffer that is not configured.
    std::array<std::uint32_t, kPriorities> sizes{};
    std::uint32_t total{0};

    bool operator==(const ReceiveBuffers&) const = default;
};

// What marks the priority of a packet.
enum class TrustMode { Pcp, Dscp };

struct DcbState {
    std::optional<PfcState> pfc{};
    std::optional<EtsState> ets{};
    // Absent where the port tells none; empty where there are none.
    std::optional<std::vector<AppEntry>> applications{};
    std::optional<ReceiveBuffers> buffers{};
    // DCB_CAP_DCBX_*: 1 host, 2 firmware agent, 4 CEE, 8 IEEE, 16 static.
    std::optional<std::uint8_t> dcbx{};

    bool operator==(const DcbState&) const = default;
};

// A driver with entries for DSCPs trusts the DSCP; one whose table has none the VLAN tag. No driver
// of a present adapter tells its trust itself.
[[nodiscard]] std::optional<TrustMode> trust_of(const DcbState& state);

// The priority of a DSCP: its entry, or its upper three bits.
[[nodiscard]] std::array<std::uint8_t, kDscps> priority_of_dscp(const std::vector<AppEntry>& table);

// "3", "3,4", "none"; and back, nullopt for anything else.
[[nodiscard]] std::string to_text(PrioritySet priorities);
[[nodiscard]] std::optional<PrioritySet> parse_priorities(std::string_view text);

[[nodiscard]] std::string_view to_text(TrustMode mode);
[[nodiscard]] std::string to_text(TransmitSelection selection);
[[nodiscard]] std::string to_text(AppSelector selector);

}  // namespace ferrule
