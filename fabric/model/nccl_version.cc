#include "fabric/model/nccl_version.h"

#include "fabric/base/text.h"

namespace ferrule {

std::optional<NcclVersion> parse_nccl_version(std::string_view text) {
    const auto parts = split(text, '.');
    if (parts.size() < 2 || parts.size() > 3) {
        return std::nullopt;
    }
    const auto major = parse_number<unsigned>(parts[0]);
    const auto minor = parse_number<unsigned>(parts[1]);
    const auto patch = parts.size() == 3 ? parse_number<unsigned>(parts[2]) : std::optional{0U};
    if (!major || !minor || !patch) {
        return std::nullopt;
    }
    return NcclVersion{*major, *minor, *patch};
}

std::string to_text(const NcclVersion& version) {
    return std::to_string(version.major) + "." + std::to_string(version.minor) + "." +
           std::to_string(version.patch);
}

}  // namespace ferrule
