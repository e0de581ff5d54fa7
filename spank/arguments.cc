#include "spank/arguments.h"

namespace ferrule {

Arguments parse_arguments(const std::vector<std::string_view>& arguments) {
    constexpr std::string_view kConfig = "config=";
    constexpr std::string_view kSysroot = "sysroot=";
    Arguments parsed{};
    for (const std::string_view argument : arguments) {
        if (argument.starts_with(kConfig)) {
            parsed.config = argument.substr(kConfig.size());
        } else if (argument.starts_with(kSysroot)) {
            parsed.sysroot = argument.substr(kSysroot.size());
        } else {
            parsed.unknown.emplace_back(argument);
        }
    }
    return parsed;
}

}  // namespace ferrule
