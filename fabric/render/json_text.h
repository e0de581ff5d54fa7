// What the JSON renderers share.
#pragma once

#include <nlohmann/json.hpp>

#include <optional>
#include <string>
#include <utility>

namespace ferrule {

using Json = nlohmann::ordered_json;

// null for an absent value.
template <typename T, typename Format>
[[nodiscard]] Json optional_json(const std::optional<T>& value, Format format) {
    return value ? Json(format(*value)) : Json(nullptr);
}

template <typename T>
[[nodiscard]] Json optional_json(const std::optional<T>& value) {
    return value ? Json(*value) : Json(nullptr);
}

// Bytes that are no UTF-8 become U+FFFD in place of an exception.
[[nodiscard]] inline std::string dumped(const Json& json) {
    return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace ferrule
