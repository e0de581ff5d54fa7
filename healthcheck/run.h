// One run of the health check, from the command line to a report.
#pragma once

#include "fabric/base/result.h"
#include "fabric/check/facts.h"
#include "fabric/model/finding.h"
#include "fabric/model/profile.h"
#include "fabric/model/snapshot.h"
#include "healthcheck/cli.h"

#include <optional>
#include <string>
#include <vector>

namespace ferrule {

struct Outcomes {
    Report report{};
    // Since the last run, and since the last good one; nothing where none is remembered.
    std::optional<std::vector<Change>> since_last{};
    std::optional<std::vector<Change>> since_good{};
    // Sentences for standard error: what did not hinder the run.
    std::vector<std::string> warnings{};
};

// Reads, judges and remembers.
[[nodiscard]] Result<Outcomes> run_health_check(const HealthOptions& options);

// What the node is called: by the options, by slurmd, or by itself.
[[nodiscard]] std::string node_name(const HealthOptions& options, const std::string& hostname);

// The profile that the options and the node come to.
[[nodiscard]] Result<NodeProfile> profile_of(const HealthOptions& options,
                                             const std::string& hostname,
                                             const std::string& product);

}  // namespace ferrule
