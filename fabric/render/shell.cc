#include "fabric/render/shell.h"

#include "fabric/base/text.h"

#include <fmt/format.h>

namespace ferrule {

std::string shell_quoted(std::string_view text) {
    std::string quoted = "'";
    for (const char c : text) {
        if (c == '\'') {
            quoted += R"('\'')";
        } else {
            quoted += c;
        }
    }
    return quoted + "'";
}

std::string shell_lines(const EnvPlan& plan, const Ownership& ownership) {
    std::string text;
    for (const EnvWrite& write : ownership.writes) {
        text += write.value ? fmt::format("export {}={}\n", write.name, shell_quoted(*write.value))
                            : fmt::format("unset {}\n", write.name);
    }
    if (ownership.owned.empty()) {
        text += fmt::format("unset {}\n", kMarkerName);
    } else {
        text +=
            fmt::format("export {}={}\n", kMarkerName, shell_quoted(to_marker(ownership.owned)));
    }
    for (const Kept& kept : ownership.kept) {
        text += fmt::format("# {} is your own and stays: {}\n", kept.name, printable(kept.value));
    }
    for (const std::string& note : plan.notes) {
        text += fmt::format("# note: {}\n", printable(note, 400));
    }
    return text;
}

}  // namespace ferrule
