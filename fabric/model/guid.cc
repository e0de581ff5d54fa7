#include "fabric/model/guid.h"

#include "fabric/base/text.h"

#include <fmt/format.h>

namespace ferrule {

std::optional<Guid> parse_guid(std::string_view text) {
    if (text.starts_with("0x")) {
        const auto value = parse_number<std::uint64_t>(text.substr(2), 16);
        return value ? std::optional{Guid{*value}} : std::nullopt;
    }
    const auto groups = split(text, ':');
    if (groups.size() != 4) {
        return std::nullopt;
    }
    Guid guid{};
    for (const std::string_view group : groups) {
        const auto part = parse_number<std::uint16_t>(group, 16);
        if (!part || group.size() != 4) {
            return std::nullopt;
        }
        guid.value = guid.value << 16U | *part;
    }
    return guid;
}

std::string to_text(Guid guid) {
    return fmt::format("{:04x}:{:04x}:{:04x}:{:04x}", guid.value >> 48U,
                       guid.value >> 32U & 0xffffU, guid.value >> 16U & 0xffffU,
                       guid.value & 0xffffU);
}

}  // namespace ferrule
