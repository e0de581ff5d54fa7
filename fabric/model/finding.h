// What a check says about one object. Unknown is not broken: it never condemns a node.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace ferrule {

// From best to worst, as a reader wants to see them.
enum class Outcome { NotApplicable, Pass, Unknown, Fail };

// How bad a failure is: a warning costs performance or certainty, a critical one breaks jobs.
enum class Severity { Warning, Critical };

struct Finding {
    std::string check{};
    // "mlx5_3/1" a port, "mlx5_3" a device, "ens1f0np0" an interface, "node".
    std::string object{};
    Outcome outcome{Outcome::Pass};
    Severity severity{Severity::Critical};
    std::string seen{};
    std::string wanted{};
    // Who wants it: "ferrule.conf:12 (rate)", or the rule in words.
    std::string rule{};
    std::string remedy{};

    bool operator==(const Finding&) const = default;
};

struct Report {
    std::string node{};
    // The profile that was applied; empty where none was.
    std::string profile{};
    std::string boot_id{};
    // Seconds since 1970, and since the boot.
    std::int64_t time{0};
    std::uint64_t uptime_ms{0};
    // Milliseconds that reading and judging took.
    std::uint64_t duration_ms{0};
    std::vector<Finding> findings{};

    bool operator==(const Report&) const = default;
};

// "fail", "unknown", "pass", "not applicable".
[[nodiscard]] std::string_view to_text(Outcome outcome);
// "warning", "critical".
[[nodiscard]] std::string_view to_text(Severity severity);

// Failures first, critical ones before warnings; then unknown, pass, not applicable. The order
// among equals is kept.
void sort_worst_first(std::vector<Finding>& findings);

// What the whole comes to; the numbers are Nagios' exit statuses.
enum class Verdict { Ok = 0, Warning = 1, Critical = 2, Unknown = 3 };
[[nodiscard]] Verdict verdict_of(const std::vector<Finding>& findings);
[[nodiscard]] std::string_view to_text(Verdict verdict);

}  // namespace ferrule
