// The arguments of Ferrule's line in plugstack.conf. Pure.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace ferrule {

struct Arguments {
    // config=FILE; empty means the default file, which may be absent.
    std::string config{};
    // sysroot=DIR: the tree to read in place of this node.
    std::string sysroot{"/"};
    // Arguments that are none of these.
    std::vector<std::string> unknown{};

    bool operator==(const Arguments&) const = default;
};

[[nodiscard]] Arguments parse_arguments(const std::vector<std::string_view>& arguments);

}  // namespace ferrule
