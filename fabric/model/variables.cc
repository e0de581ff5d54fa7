#include "fabric/model/variables.h"

namespace ferrule {

Environment environment_of(const char* const* entries) {
    Environment environment;
    for (; *entries != nullptr; ++entries) {
        const std::string_view entry = *entries;
        const std::size_t equals = entry.find('=');
        if (equals != std::string_view::npos) {
            environment.emplace(entry.substr(0, equals), entry.substr(equals + 1));
        }
    }
    return environment;
}

std::string value_of(const Environment& environment, std::string_view name) {
    const auto found = environment.find(name);
    return found == environment.end() ? std::string{} : found->second;
}

}  // namespace ferrule
