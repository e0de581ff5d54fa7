// --learn and --check-config: what has to do with writing the configuration.
#pragma once

#include "fabric/base/result.h"
#include "healthcheck/cli.h"

#include <string>

namespace ferrule {

// A profile from the sources of the options: "this", a captured tree, or an archive of one.
[[nodiscard]] Result<std::string> learnt_profile(const HealthOptions& options);

// Which profile this node gets, key by key with the line that sets it.
[[nodiscard]] Result<std::string> configuration_report(const HealthOptions& options);

}  // namespace ferrule
