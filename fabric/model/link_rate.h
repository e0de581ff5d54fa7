// The `rate` file of a port: "400 Gb/sec (4X NDR)", "2.5 Gb/sec (1X SDR)", "10 Gb/sec (4X)".
#pragma once

#include <compare>
#include <optional>
#include <string>
#include <string_view>

namespace ferrule {

// Tenths of Gb/s, since 2.5 exists. A kernel prints a speed it does not know as 10 Gb/s, and older
// ones show no RoCE port above 100: this is what the kernel says, not a measurement.
struct LinkRate {
    unsigned tenth_gbps{0};
    unsigned lanes{0};
    // "NDR"; empty in the short spelling.
    std::string generation{};

    bool operator==(const LinkRate&) const = default;
};

[[nodiscard]] std::optional<LinkRate> parse_link_rate(std::string_view text);
// The spelling of sysfs.
[[nodiscard]] std::string to_text(const LinkRate& rate);
// "400", "2.5".
[[nodiscard]] std::string gbps_text(unsigned tenth_gbps);

}  // namespace ferrule
