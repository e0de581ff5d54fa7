// What a user's own values do on this node, where that is hardly what they were set for. The values
// stay; this only tells. Pure.
#pragma once

#include "fabric/model/plan.h"
#include "fabric/model/profile.h"
#include "fabric/model/snapshot.h"
#include "fabric/model/variables.h"

#include <string>
#include <string_view>
#include <vector>

namespace ferrule {

struct LintFinding {
    std::string variable{};
    // Goes on after the variable's name; names the remedy where there is one.
    std::string sentence{};

    bool operator==(const LintFinding&) const = default;
};

// What a rule may look at.
struct LintView {
    // With whole tables.
    const NodeSnapshot& snapshot;
    const EnvPlan& plan;
    const Environment& environment;
    // The oldest NCCL the job may load; the newest known where nothing is said.
    NcclVersion nccl{};
};

// One variable against the node.
struct LintSubject {
    std::string_view name{};
    std::string_view value{};
};

// All findings, in order of the variables' names. What Ferrule set itself (`owned`) is passed over.
// A value that nothing is known of has no finding.
[[nodiscard]] std::vector<LintFinding> lint_environment(const LintView& view,
                                                        const Environment& owned);

// The newest NCCL whose rules are known.
[[nodiscard]] NcclVersion newest_known_nccl();

// Rules about lists of names, one for each grammar (lint_hcas.cc, lint_interfaces.cc). Sentences.
[[nodiscard]] std::vector<std::string> lint_nccl_hcas(const LintView& view, std::string_view value);
[[nodiscard]] std::vector<std::string> lint_exact_hcas(const LintView& view,
                                                       const LintSubject& subject);
[[nodiscard]] std::vector<std::string> lint_nccl_interfaces(const LintView& view,
                                                            const LintSubject& subject);
[[nodiscard]] std::vector<std::string> lint_exact_interfaces(const LintView& view,
                                                             std::string_view value);
// What is wrong with a list in NCCL's grammar whatever the node (lint_names.cc).
[[nodiscard]] std::vector<std::string> lint_nccl_grammar(std::string_view value);
// Rules about a GID or P_Key that is pinned (lint_tables.cc).
[[nodiscard]] std::vector<std::string> lint_gid_index(const LintView& view, std::string_view value);
// What the family or the range leads NCCL to.
[[nodiscard]] std::vector<std::string> lint_gid_outcome(const LintView& view);
[[nodiscard]] std::vector<std::string> lint_pkey_index(const LintView& view,
                                                       std::string_view value);

}  // namespace ferrule
