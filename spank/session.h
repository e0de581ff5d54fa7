// One life of the plugin in one Slurm process: from init to exit.
#pragma once

#include "fabric/base/result.h"
#include "fabric/model/plan.h"
#include "fabric/policy/lint.h"
#include "fabric/policy/ownership.h"
#include "spank/arguments.h"
#include "spank/job_environment.h"
#include "spank/options.h"
#include "spank/slurm_api.h"

#include <string>
#include <vector>

namespace ferrule {

class Session {
  public:
    // `argc` and `argv` are the arguments of the line in plugstack.conf.
    Session(int argc, char** argv);

    // False when the value is none.
    [[nodiscard]] bool take_option(Option option, const char* value);

    // On a node, before any task exists: reads the node, plans, and sets the step's environment.
    // Elsewhere, and in the step that only contains foreign processes, nothing.
    void prepare_step(spank_t spank);

    // In each task: settles the values that a container's image brought since. In the first task of
    // the step on a node also prints the explanation, if it was asked for.
    void start_task(spank_t spank);

  private:
    // What was decided for the step on this node.
    struct StepPlan {
        EnvPlan plan{};
        ImageValues image_values{ImageValues::Replaced};
        // About the user's own values; only for an explanation.
        std::vector<LintFinding> findings{};
        Ownership ownership{};
    };

    // plan_step, with an exception as an error: the first node's values are taken away all the
    // same.
    [[nodiscard]] Result<StepPlan> try_plan(const Environment& environment, std::uint32_t step,
                                            const std::string& node) const;
    [[nodiscard]] Result<StepPlan> plan_step(const Environment& environment, std::uint32_t step,
                                             const std::string& node) const;
    void settle_image_values(const JobEnvironment& job);

    Arguments arguments_{};
    FabricMode mode_{FabricMode::Auto};
    bool explain_{false};
    StepPlan step_plan_{};
    std::string explanation_{};
};

}  // namespace ferrule
