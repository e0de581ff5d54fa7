// How NCCL reads a number out of a variable. Pure.
// Source: ncclLoadParam in src/misc/param.cc.
#pragma once

#include "fabric/model/variables.h"

#include <cstdint>
#include <optional>
#include <string_view>

namespace ferrule {

// Unset, empty and out of range: `by_default`. Decimal, 0x and octal; what follows the digits is
// ignored, and text without digits is 0.
[[nodiscard]] std::int64_t nccl_number(const Environment& environment, std::string_view name,
                                       std::int64_t by_default);

// The same for a text that is there: strtoll with base 0. Out of range gives nothing.
[[nodiscard]] std::optional<std::int64_t> c_number(std::string_view text);

}  // namespace ferrule
