// The command line of ferrule-healthcheck.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

namespace ferrule {

enum class HealthTask { Check, Diff, List, Explain, Learn, CheckConfig };
enum class HealthOutput { Text, Json, Metrics };
enum class When { Auto, Always, Never };

struct HealthOptions {
    HealthTask task{HealthTask::Check};
    HealthOutput output{HealthOutput::Text};
    std::string sysroot{"/"};
    // Empty: the default file, if there is one.
    std::string config{};
    std::string node{};
    std::string profile{};
    // Empty: the default folder for this node, none for a captured tree.
    std::string state_dir{};
    bool stateless{false};
    std::vector<std::string> only{};
    std::string explained{};
    // Archives, folders of captured trees, or "this".
    std::vector<std::string> learn_from{};
    std::string textfile{};
    bool to_syslog{false};
    bool everything{false};
    When colour{When::Auto};
    std::chrono::milliseconds timeout{10000};
    std::chrono::milliseconds patience{2000};
    std::chrono::milliseconds lldp{0};
    // What the daemon lldpd tells of the switches; empty without one.
    std::string lldpd{};
};

struct HealthCommandLine {
    // Nothing when the line was answered already (--help) or is wrong.
    std::optional<HealthOptions> options{};
    int exit_status{0};
};

// Writes help and complaints to the standard streams.
[[nodiscard]] HealthCommandLine parse_health_command_line(int argc, char** argv);

}  // namespace ferrule
