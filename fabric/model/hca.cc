#include "fabric/model/hca.h"

#include <array>

namespace ferrule {

std::string_view to_text(NodeType type) {
    static constexpr std::array<std::string_view, 8> kNames{
        "unknown", "CA", "switch", "router", "RNIC", "usNIC", "usNIC UDP", "unspecified"};
    const auto number = static_cast<std::size_t>(type);
    return number < kNames.size() ? kNames[number] : kNames[0];
}

std::string_view to_text(FunctionKind kind) {
    switch (kind) {
        case FunctionKind::Physical:
            return "physical function";
        case FunctionKind::Virtual:
            return "virtual function";
        case FunctionKind::SubFunction:
            return "sub-function";
        case FunctionKind::Software:
            return "software device";
    }
    return "unknown";
}

}  // namespace ferrule
