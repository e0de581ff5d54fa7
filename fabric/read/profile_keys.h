// The keys of [profile NAME] in ferrule.conf, one table. Pure.
#pragma once

#include "fabric/model/profile.h"

#include <string>
#include <string_view>

namespace ferrule {

// Keys whose value is a list, continued on indented lines.
[[nodiscard]] bool is_list_key(std::string_view key);

// The line of a list: the first replaces what was inherited.
enum class ListLine { First, Continued };

// Sets one key. Returns a sentence about what is wrong, empty when it was taken.
[[nodiscard]] std::string set_profile_key(NodeProfile& profile, std::string_view key,
                                          std::string_view value, ListLine line = ListLine::First);

// One line of [environment NAME].
[[nodiscard]] std::string set_environment_variable(NodeProfile& profile, std::string_view name,
                                                   std::string_view value);

}  // namespace ferrule
