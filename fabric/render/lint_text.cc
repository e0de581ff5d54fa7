#include "fabric/render/lint_text.h"

#include "fabric/base/text.h"

#include <fmt/format.h>

namespace ferrule {

std::string lint_lines(const std::vector<LintFinding>& findings, std::string_view prefix) {
    std::string text;
    for (const LintFinding& finding : findings) {
        text += fmt::format("{}{}: {}\n", prefix, printable(finding.variable), finding.sentence);
    }
    return text;
}

}  // namespace ferrule
