// INI text into entries that know their line. inih does the parsing; what it would do silently (cut
// long lines and names) is an error here.
#pragma once

#include "fabric/base/result.h"

#include <string>
#include <string_view>
#include <vector>

namespace ferrule {

struct IniSection {
    std::string name{};
    unsigned line{0};

    bool operator==(const IniSection&) const = default;
};

struct IniEntry {
    std::string section{};
    std::string key{};
    std::string value{};
    // From 1.
    unsigned line{0};
    // The value stood on an indented line below its key.
    bool continuation{false};

    bool operator==(const IniEntry&) const = default;
};

struct Ini {
    // Every header in order, those without a key included.
    std::vector<IniSection> sections{};
    std::vector<IniEntry> entries{};
};

// An error that names file and line, and shows the line with a caret below `token`.
[[nodiscard]] Error ini_error(std::string_view file, std::string_view text, unsigned line,
                              std::string_view token, std::string_view sentence);

// `file` is the name to use in messages. A value ends at " ;", which starts a comment.
[[nodiscard]] Result<Ini> parse_ini(std::string_view file, std::string_view text);

}  // namespace ferrule
