// ferrule.conf: the file a site writes, read into profiles.
#pragma once

#include "fabric/base/result.h"
#include "fabric/model/profile.h"
#include "fabric/read/trusted_file.h"

#include <string>
#include <string_view>
#include <vector>

namespace ferrule {

inline constexpr const char* kDefaultSettings = "/etc/ferrule/ferrule.conf";

struct Settings {
    // In the order of the file.
    std::vector<NodeProfile> profiles{};

    bool operator==(const Settings&) const = default;
};

// Whole text to settings. Unknown sections and keys, repeated keys and values that do not parse are
// errors that name file, line and remedy. `file` is only for messages.
[[nodiscard]] Result<Settings> parse_settings(std::string_view file, std::string_view text);

// As read_trusted_file says. ENOENT when there is no such file.
[[nodiscard]] Result<Settings> load_settings(const std::string& path, Trust trust);

// The file at `path`; for an empty one the default file, which may be absent and then says nothing.
[[nodiscard]] Result<Settings> load_settings_or_default(const std::string& path, Trust trust);

// Some profile is for certain machines, so that profile_for wants to know the machine.
[[nodiscard]] bool needs_product(const Settings& settings);

// The first profile that names `node`, else the first for its machine, else the first for all, else
// an empty one. A profile that names both is for such machines among those nodes. `product` is the
// machine's name in sys/class/dmi/id/product_name.
[[nodiscard]] NodeProfile profile_for(const Settings& settings, std::string_view node,
                                      const std::string& product = {});

}  // namespace ferrule
