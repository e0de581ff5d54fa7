// The version of NCCL a plan is made for.
#pragma once

#include <compare>
#include <optional>
#include <string>
#include <string_view>

namespace ferrule {

struct NcclVersion {
    unsigned major{0};
    unsigned minor{0};
    unsigned patch{0};

    auto operator<=>(const NcclVersion&) const = default;
};

// NCCL 2.21 is the first with a rule that finds a RoCE GID by itself; older ones take index 0.
inline constexpr NcclVersion kFirstNcclWithGidRule{2, 21, 0};
// Before 2.26.2 a row whose type cannot be read, as are those of other network namespaces, ends the
// job.
inline constexpr NcclVersion kFirstNcclPastUnreadableRows{2, 26, 2};

// It runs the rule, and has no way around a row whose type cannot be read.
[[nodiscard]] constexpr bool ends_over_unreadable_rows(const NcclVersion& version) {
    return version >= kFirstNcclWithGidRule && version < kFirstNcclPastUnreadableRows;
}

// Up to 2.18.3 NCCL reads 16 entries of NCCL_IB_HCA, since 2.18.5 it reads 32.
inline constexpr NcclVersion kFirstNcclWith32Hcas{2, 18, 5};

// "2.21" or "2.21.5".
[[nodiscard]] std::optional<NcclVersion> parse_nccl_version(std::string_view text);
[[nodiscard]] std::string to_text(const NcclVersion& version);

}  // namespace ferrule
