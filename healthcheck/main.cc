// ferrule-healthcheck: is this node's fabric as its profile says?
#include "fabric/read/settings.h"
#include "fabric/render/report.h"
#include "healthcheck/cli.h"
#include "healthcheck/deliver.h"
#include "healthcheck/learn_command.h"
#include "healthcheck/run.h"

#include <cstdlib>
#include <exception>
#include <iostream>

#include <unistd.h>

namespace {

using namespace ferrule;

constexpr int kOwnFailure = 3;

struct Answer {
    std::string text{};
    int exit_status{EXIT_SUCCESS};
};

bool is_coloured(When when) {
    const char* const unwanted = std::getenv("NO_COLOR");  // NOLINT(concurrency-mt-unsafe)
    return when == When::Always ||
           (when == When::Auto && ::isatty(STDOUT_FILENO) == 1 && unwanted == nullptr);
}

std::string rendered(const Report& report, const HealthOptions& options) {
    switch (options.output) {
        case HealthOutput::Json:
            return report_json(report);
        case HealthOutput::Metrics:
            return report_metrics(report);
        case HealthOutput::Text:
            break;
    }
    return report_text(report, {is_coloured(options.colour) ? Colour::On : Colour::Off,
                                options.everything ? Detail::Everything : Detail::Findings});
}

std::string changes_since(const char* run, const std::optional<std::vector<Change>>& changes) {
    return changes ? std::string{"since "} + run + ":\n" + changes_text(*changes)
                   : std::string{run} + ": none is remembered\n";
}

Answer compared(const Outcomes& outcomes) {
    const bool changed = outcomes.since_last && !outcomes.since_last->empty();
    return {changes_since("the last run", outcomes.since_last) +
                changes_since("the last good run", outcomes.since_good),
            changed ? EXIT_FAILURE : EXIT_SUCCESS};
}

Result<Answer> check(const HealthOptions& options) {
    const Outcomes outcomes = TRY(run_health_check(options));
    for (const std::string& warning : outcomes.warnings) {
        std::cerr << "ferrule-healthcheck: " << warning << '\n';
    }
    if (options.to_syslog) {
        write_syslog(outcomes.report);
    }
    if (!options.textfile.empty()) {
        if (const auto written = write_textfile(options.textfile, outcomes.report); !written) {
            std::cerr << "ferrule-healthcheck: " << written.error().text << '\n';
        }
    }
    if (options.task == HealthTask::Diff) {
        return compared(outcomes);
    }
    return Answer{rendered(outcomes.report, options),
                  static_cast<int>(verdict_of(outcomes.report.findings))};
}

Result<Answer> answer_of(const HealthOptions& options) {
    switch (options.task) {
        case HealthTask::List:
            return Answer{check_list_text()};
        case HealthTask::Explain: {
            const Check* const found = find_check(options.explained);
            return Answer{found == nullptr ? std::string{} : check_text(*found)};
        }
        case HealthTask::Learn:
            return Answer{TRY(learnt_profile(options))};
        case HealthTask::CheckConfig:
            return Answer{TRY(configuration_report(options))};
        case HealthTask::Check:
        case HealthTask::Diff:
            break;
    }
    return check(options);
}

}  // namespace

int main(int argc, char** argv) {
    try {
        const HealthCommandLine line = parse_health_command_line(argc, argv);
        if (!line.options) {
            return line.exit_status;
        }
        const auto answer = answer_of(*line.options);
        if (!answer) {
            std::cerr << "ferrule-healthcheck: " << answer.error().text << '\n';
            return kOwnFailure;
        }
        std::cout << answer->text << std::flush;
        if (!std::cout) {
            std::cerr << "ferrule-healthcheck: standard output cannot be written\n";
            return kOwnFailure;
        }
        return answer->exit_status;
    } catch (const std::exception& error) {
        std::cerr << "ferrule-healthcheck: " << error.what() << '\n';
        return kOwnFailure;
    }
}
