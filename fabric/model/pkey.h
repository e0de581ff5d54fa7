// Partition keys. Source: InfiniBand specification 10.9: bit 15 is full membership, the rest names
// the partition.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace ferrule {

struct Pkey {
    std::uint16_t value{0};

    [[nodiscard]] bool full_member() const { return (value & 0x8000U) != 0; }

    [[nodiscard]] std::uint16_t partition() const { return value & 0x7fffU; }

    auto operator<=>(const Pkey&) const = default;
};

// One non-empty row of a port's P_Key table.
struct PkeyEntry {
    unsigned index{0};
    Pkey pkey{};

    bool operator==(const PkeyEntry&) const = default;
};

// "0x8001" as sysfs prints it, or decimal.
[[nodiscard]] std::optional<Pkey> parse_pkey(std::string_view text);
// "0x8001".
[[nodiscard]] std::string to_text(Pkey pkey);

}  // namespace ferrule
