#include "healthcheck/cli.h"

#include "fabric/base/text.h"
#include "fabric/base/version.h"
#include "fabric/check/check.h"

#include <CLI/CLI.hpp>

#include <array>
#include <iostream>
#include <span>

namespace ferrule {

namespace {

constexpr const char* kDescription =
    "Checks the fabric of this node against its profile: links, MTU, PFC, GIDs, P_Keys, firmware,\n"
    "PCIe, counters and the switch's view. Changes nothing.";

constexpr const char* kFooter =
    "Exit status: 0 ok, 1 warnings, 2 critical failures, 3 unknown, or the check itself could not\n"
    "run; with --diff 1 where something changed. See ferrule-healthcheck(8), ferrule-checks(7) "
    "and\n"
    "ferrule.conf(5).";

constexpr int kMisuse = 3;

// All errors in one line that begins with the program's name.
std::string failure(const CLI::App*, const CLI::Error& error) {
    return std::string{"ferrule-healthcheck: "} + error.what() +
           "; see ferrule-healthcheck --help\n";
}

std::string one_check_name(std::string& text) {
    return find_check(trimmed(text)) == nullptr
               ? "no check is called \"" + printable(trimmed(text)) + "\", see --list"
               : std::string{};
}

std::string check_names(std::string& text) {
    for (const std::string_view name : split(text, ',')) {
        if (find_check(trimmed(name)) == nullptr) {
            return "no check is called \"" + printable(trimmed(name)) + "\", see --list";
        }
    }
    return {};
}

struct TaskFlag {
    const char* name;
    HealthTask task;
    const char* help;
};

constexpr std::array kTasks{
    TaskFlag{"--diff", HealthTask::Diff,
             "What changed since the last run and since the last good one, in place of the report"},
    TaskFlag{"--list", HealthTask::List, "The names of all checks, and what they ask"},
    TaskFlag{"--learn", HealthTask::Learn,
             "Write a profile from the healthy nodes named behind it: archives, captured trees, or "
             "this"},
    TaskFlag{"--check-config", HealthTask::CheckConfig,
             "Read the configuration, say which profile this node gets, and stop"},
};

// One number of seconds, with a fraction.
void add_seconds(CLI::App& app, const char* name, std::chrono::milliseconds& into,
                 const char* help) {
    constexpr double kLeast = 0;
    constexpr double kMost = 600;
    constexpr double kMilliseconds = 1000;
    app.add_option_function<double>(
           name,
           [&into](const double& seconds) {
               into = std::chrono::milliseconds{static_cast<long>(seconds * kMilliseconds)};
           },
           help)
        ->type_name("SECONDS")
        ->check(CLI::Range(kLeast, kMost));
}

void add_output(CLI::App& app, HealthOptions& options) {
    auto* const group = app.add_option_group("Output");
    group->add_flag_callback(
        "--json", [&options] { options.output = HealthOutput::Json; }, "The report as JSON");
    group->add_flag_callback(
        "--metrics", [&options] { options.output = HealthOutput::Metrics; },
        "The report in Prometheus' text format");
    group->require_option(0, 1);
    app.add_option("--textfile", options.textfile,
                   "Also write the metrics to this file, whole or not at all")
        ->type_name("FILE");
    app.add_flag("--syslog", options.to_syslog, "Also send what failed or is unknown to syslog");
    app.add_flag("-v,--verbose", options.everything, "Also what passed or is not applicable");
    app.add_option_function<std::string>(
           "--colour,--color",
           [&options](const std::string& when) {
               options.colour = when == "always" ? When::Always : When::Never;
               options.colour = when == "auto" ? When::Auto : options.colour;
           },
           "auto, always or never")
        ->type_name("WHEN")
        ->check(CLI::IsMember({"auto", "always", "never"}).description(""));
}

void add_sources(CLI::App& app, HealthOptions& options) {
    app.add_option("--config", options.config,
                   "Configuration (default /etc/ferrule/ferrule.conf, if there is one)")
        ->type_name("FILE");
    app.add_option("--node", options.node, "Name of the node, to find its profile")
        ->type_name("NAME");
    app.add_option("--profile", options.profile, "Take this profile, whatever the node")
        ->type_name("NAME");
    app.add_option("--sysroot", options.sysroot, "Read a captured tree in place of this node")
        ->type_name("DIR");
    auto* const state_dir =
        app.add_option("--state-dir", options.state_dir,
                       "Where to remember counters and settings (default /var/lib/ferrule)")
            ->type_name("DIR");
    app.add_flag("--no-state", options.stateless, "Remember nothing: no rates, no changes")
        ->excludes(state_dir);
    add_seconds(app, "--timeout", options.timeout, "For the whole run (default 10)");
    add_seconds(app, "--device-timeout", options.patience, "For each device (default 2)");
    add_seconds(app, "--lldp", options.lldp,
                "Listen so long for what the switches say (default 0: not at all)");
    app.add_option("--lldpd", options.lldpd,
                   "Take what the switches say from this file, written by lldpcli -f json show "
                   "neighbors details")
        ->type_name("FILE");
}

void add_tasks(CLI::App& app, HealthOptions& options, std::string& only) {
    auto* const group = app.add_option_group("Task");
    for (const TaskFlag& flag : kTasks) {
        group->add_flag_callback(
            flag.name, [&options, &flag] { options.task = flag.task; }, flag.help);
    }
    group->add_option("--explain", options.explained, "What a check asks, and why")
        ->type_name("CHECK")
        ->check(CLI::Validator{one_check_name, "", ""});
    group->require_option(0, 1);
    app.add_option("--only", only, "Run these checks, separated by commas")
        ->type_name("CHECKS")
        ->check(CLI::Validator{check_names, "", ""});
}

// A shell variable that is not set is no choice.
std::string empty_argument(std::span<char* const> arguments) {
    for (const std::string_view argument : arguments) {
        const bool empty_value = argument.starts_with("--") && argument.ends_with('=');
        if (argument.empty() || empty_value) {
            return "an argument is empty: leave it out, or give it a value";
        }
    }
    return {};
}

// Options that do not go together.
std::string wrong_together(const HealthOptions& options) {
    if (options.task == HealthTask::Diff && options.output != HealthOutput::Text) {
        return "--diff is text: leave out --json or --metrics";
    }
    if (options.sysroot != "/" && options.lldp.count() > 0) {
        return "--lldp listens on this node, and --sysroot reads another: leave out one";
    }
    if (options.lldp.count() > 0 && options.lldp + options.patience > options.timeout) {
        return "--lldp and --device-timeout together are longer than --timeout: raise --timeout";
    }
    return {};
}

// What stands on the line besides options: sources to learn from, and nothing else.
std::string wrong_sources(const HealthOptions& options) {
    for (const std::string& source : options.learn_from) {
        if (options.task != HealthTask::Learn || source.starts_with('-')) {
            return "\"" + printable(source) + "\" is neither an option nor a source behind --learn";
        }
    }
    return options.task == HealthTask::Learn && options.learn_from.empty()
               ? "name what to learn from behind --learn: archives, captured trees, or this"
               : "";
}

}  // namespace

HealthCommandLine parse_health_command_line(int argc, char** argv) {
    CLI::App app{kDescription, "ferrule-healthcheck"};
    app.footer(kFooter);
    app.failure_message(failure);
    app.allow_extras();
    app.set_version_flag("--version", std::string{"ferrule-healthcheck "} + kVersion);
    HealthOptions options{};
    std::string only;
    add_tasks(app, options, only);
    add_sources(app, options);
    add_output(app, options);
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        return {{}, app.exit(error, std::cout, std::cerr) == 0 ? 0 : kMisuse};
    }
    if (!options.explained.empty()) {
        options.task = HealthTask::Explain;
    }
    options.learn_from = app.remaining();
    std::string wrong = empty_argument({argv, static_cast<std::size_t>(argc)});
    if (wrong.empty()) {
        wrong = wrong_sources(options);
    }
    if (wrong.empty()) {
        wrong = wrong_together(options);
    }
    if (!wrong.empty()) {
        std::cerr << "ferrule-healthcheck: " << wrong << "; see ferrule-healthcheck --help\n";
        return {{}, kMisuse};
    }
    for (const std::string_view name : split(only, ',')) {
        options.only.emplace_back(trimmed(name));
    }
    return {options, 0};
}

}  // namespace ferrule
