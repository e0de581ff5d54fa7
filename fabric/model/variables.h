// The environment of a process: names and values.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>

namespace ferrule {

using Environment = std::map<std::string, std::string, std::less<>>;

// From `environ`, or the like: "NAME=value" until a null pointer.
[[nodiscard]] Environment environment_of(const char* const* entries);
// Empty where there is none.
[[nodiscard]] std::string value_of(const Environment& environment, std::string_view name);

}  // namespace ferrule
