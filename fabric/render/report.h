// A health report in the forms that people and machines read.
#pragma once

#include "fabric/check/check.h"
#include "fabric/check/facts.h"
#include "fabric/model/finding.h"

#include <string>
#include <vector>

namespace ferrule {

enum class Colour { Off, On };
enum class Detail { Findings, Everything };

struct ReportStyle {
    Colour colour{Colour::Off};
    // Findings: what failed or is unknown. Everything: also what passed or is not applicable.
    Detail detail{Detail::Findings};
};

// One line with the verdict, as monitoring systems show it, then a table, worst first.
[[nodiscard]] std::string report_text(const Report& report, const ReportStyle& style);

// docs/schema/health-report.json says what it holds.
[[nodiscard]] std::string report_json(const Report& report);

// Prometheus' text format, for node_exporter's textfile collector.
[[nodiscard]] std::string report_metrics(const Report& report);

// "mlx5_0/1 rate: 400 Gb/sec -> 200 Gb/sec", a line each.
[[nodiscard]] std::string changes_text(const std::vector<Change>& changes);

// What the check asks, why, and which keys of a profile it looks at.
[[nodiscard]] std::string check_text(const Check& check);
// All of them, a line each.
[[nodiscard]] std::string check_list_text();

}  // namespace ferrule
