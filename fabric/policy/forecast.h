// What NCCL, version by version, makes of a node under an environment, held against the plan. Pure.
#pragma once

#include "fabric/model/plan.h"
#include "fabric/model/snapshot.h"
#include "fabric/model/variables.h"
#include "fabric/nccl/simulation.h"

#include <array>
#include <optional>
#include <string>
#include <vector>

namespace ferrule {

// Where NCCL would do other than planned, a sentence each; empty when it does just that: the
// planned ports, from a routable GID, over the planned interface.
[[nodiscard]] std::vector<std::string> deviations(const EnvPlan& plan, const NcclOutcome& outcome);

// The first of every kind of behaviour that a plan can meet, oldest first.
inline constexpr std::array<NcclVersion, 8> kTellingVersions{{{2, 8, 3},
                                                              {2, 18, 3},
                                                              {2, 20, 5},
                                                              {2, 21, 5},
                                                              {2, 26, 2},
                                                              {2, 28, 3},
                                                              {2, 29, 7},
                                                              {2, 30, 7}}};

// One forecast for every run of versions from `oldest` (else the first that is known) that behave
// alike. `snapshot` holds whole GID tables.
[[nodiscard]] std::vector<NcclForecast> forecast_nccl(const NodeSnapshot& snapshot,
                                                      const EnvPlan& plan,
                                                      const Environment& environment,
                                                      const std::optional<NcclVersion>& oldest);

}  // namespace ferrule
