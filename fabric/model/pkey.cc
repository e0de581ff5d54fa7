#include "fabric/model/pkey.h"

#include "fabric/base/text.h"

#include <fmt/format.h>

namespace ferrule {

std::optional<Pkey> parse_pkey(std::string_view text) {
    const auto value = parse_c_number<std::uint16_t>(text);
    return value ? std::optional{Pkey{*value}} : std::nullopt;
}

std::string to_text(Pkey pkey) {
    return fmt::format("{:#06x}", pkey.value);
}

}  // namespace ferrule
