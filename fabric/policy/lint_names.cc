#include "fabric/base/text.h"
#include "fabric/policy/lint.h"

#include <fmt/format.h>

#include <set>

namespace ferrule {

namespace {

std::string_view without_prefixes(std::string_view value) {
    value.remove_prefix(value.starts_with('^') ? 1 : 0);
    value.remove_prefix(value.starts_with('=') ? 1 : 0);
    return value;
}

std::string about_entry(std::string_view entry) {
    if (entry.find_first_of(" \t") != std::string_view::npos) {
        return fmt::format("\"{}\" has a blank, which counts as a part of the name; take it out",
                           printable(entry));
    }
    if (entry.starts_with('^') || entry.starts_with('=')) {
        return fmt::format(
            "\"{}\" repeats a prefix, which then counts as a part of the name; \"^\" and \"=\" "
            "stand "
            "once, in front of the whole list",
            printable(entry));
    }
    return {};
}

}  // namespace

std::vector<std::string> lint_nccl_grammar(std::string_view value) {
    std::vector<std::string> sentences;
    if (value.starts_with("=^")) {
        sentences.emplace_back(R"("=^" looks for a name that begins with "^"; write "^=")");
        return sentences;
    }
    std::set<std::string_view> seen;
    for (const std::string_view entry : split(without_prefixes(value), ',')) {
        std::string sentence = about_entry(entry);
        if (sentence.empty() && !entry.empty() && !seen.insert(entry).second) {
            sentence =
                fmt::format("\"{}\" is listed twice; is another one missing?", printable(entry));
        }
        if (!sentence.empty()) {
            sentences.push_back(std::move(sentence));
        }
    }
    return sentences;
}

}  // namespace ferrule
