#include "fabric/render/explain.h"

#include "fabric/base/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace ferrule {

namespace {

// As much as anybody reads of a value.
constexpr std::size_t kLongest = 4000;

struct Line {
    std::string object{};
    std::string verdict{};
    std::string reason{};
};

void append_lines(std::string& text, std::string_view title, const std::vector<Line>& lines) {
    if (lines.empty()) {
        return;
    }
    std::size_t object_width = 0;
    std::size_t verdict_width = 0;
    for (const Line& line : lines) {
        object_width = std::max(object_width, line.object.size());
        verdict_width = std::max(verdict_width, line.verdict.size());
    }
    text += fmt::format("{}\n", title);
    for (const Line& line : lines) {
        text += fmt::format("  {:<{}}  {:<{}}  {}\n", line.object, object_width, line.verdict,
                            verdict_width, line.reason);
    }
}

std::string_view used_word(bool used) {
    return used ? "used" : "left out";
}

std::vector<Line> port_lines(const EnvPlan& plan) {
    std::vector<Line> lines;
    for (const PortVerdict& port : plan.ports) {
        std::string object = fmt::format("{}:{}", printable(port.hca), port.port);
        if (port.pci) {
            object += " " + to_text(*port.pci);
        }
        if (!port.netdev.empty()) {
            object += " " + printable(port.netdev);
        }
        lines.push_back({object, std::string{used_word(port.used)}, printable(port.reason)});
    }
    return lines;
}

std::vector<Line> interface_lines(const EnvPlan& plan) {
    std::vector<Line> lines;
    lines.reserve(plan.interfaces.size());
    for (const InterfaceVerdict& it : plan.interfaces) {
        lines.push_back(
            {printable(it.name), std::string{used_word(it.used)}, printable(it.reason)});
    }
    return lines;
}

std::vector<Line> variable_lines(const EnvPlan& plan, const Ownership& ownership) {
    std::vector<Line> lines;
    for (const EnvChange& change : plan.variables) {
        const auto kept = std::ranges::find(ownership.kept, change.name, &Kept::name);
        if (kept != ownership.kept.end()) {
            const std::string planned = kept->planned.empty() ? "nothing" : kept->planned;
            lines.push_back({change.name, "kept",
                             fmt::format("\"{}\" is the user's own; the plan had {}",
                                         printable(kept->value), printable(planned))});
            continue;
        }
        if (!change.value) {
            lines.push_back({change.name, "left out", change.reason});
            continue;
        }
        if (!ownership.owned.contains(change.name)) {
            lines.push_back({change.name, "left out",
                             "the user set another variable of the same group: " + change.group});
            continue;
        }
        lines.push_back(
            {change.name, "set",
             fmt::format("{} ({})", printable(*change.value, kLongest), printable(change.reason))});
    }
    for (const EnvWrite& write : ownership.writes) {
        if (!write.value) {
            lines.push_back({printable(write.name), "removed",
                             "Ferrule had set it on another node; it does not belong here"});
        }
    }
    return lines;
}

std::vector<Line> forecast_lines(const EnvPlan& plan) {
    std::vector<Line> lines;
    for (const NcclForecast& it : plan.forecasts) {
        const std::string versions =
            it.first == it.last ? to_text(it.first)
                                : fmt::format("{} to {}", to_text(it.first), to_text(it.last));
        lines.push_back({versions, it.as_planned ? "good" : "other", it.text});
    }
    return lines;
}

}  // namespace

std::string explain(const EnvPlan& plan, const Ownership& ownership, std::string_view node) {
    std::string text = fmt::format(
        "node {}: fabric {}, profile {}, mode {}\n", printable(node), to_text(plan.fabric),
        plan.profile.empty() ? "none" : printable(plan.profile), to_text(plan.mode));
    append_lines(text, "HCA ports", port_lines(plan));
    append_lines(text, "interfaces", interface_lines(plan));
    append_lines(text, "variables", variable_lines(plan, ownership));
    append_lines(text, "NCCL with these variables", forecast_lines(plan));
    for (const std::string& note : plan.notes) {
        text += fmt::format("note: {}\n", printable(note, 400));
    }
    return text;
}

}  // namespace ferrule
