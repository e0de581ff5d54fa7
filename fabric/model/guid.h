// The 64-bit identifier of a node, a system image or a port. Source: InfiniBand
// specification 4.1.2.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace ferrule {

struct Guid {
    std::uint64_t value{0};

    auto operator<=>(const Guid&) const = default;
};

// Both spellings in use: "0c42:a103:0000:0001" (sysfs) and "0x0c42a10300000001" (ibstat).
[[nodiscard]] std::optional<Guid> parse_guid(std::string_view text);
// The spelling of sysfs.
[[nodiscard]] std::string to_text(Guid guid);

}  // namespace ferrule
