// What a check is: one question about a node, asked of one snapshot. Pure.
//
// A check says pass, fail, unknown or not applicable of every object that it looks at; it never
// looks at the node itself, and never fails over what could not be read.
#pragma once

#include "fabric/check/growth.h"
#include "fabric/check/scope.h"
#include "fabric/model/finding.h"
#include "fabric/model/history.h"
#include "fabric/model/profile.h"
#include "fabric/model/snapshot.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ferrule {

// All that a check may look at.
struct CheckInput {
    const NodeSnapshot& snapshot;
    const NodeProfile& profile;
    const Scope& scope;
    // With the counters of this snapshot taken in; its facts are those of earlier runs.
    const History& history;
    // The facts of this snapshot.
    const Facts& facts;
    // The counters of this snapshot that the history follows.
    const std::vector<FollowedCounter>& counters;
};

// What is wrong, in the words of a Finding.
struct Wrong {
    std::string object{};
    std::string seen{};
    std::string wanted{};
    std::string rule{};
    std::string remedy{};
};

// Collects what one check says.
class Findings {
  public:
    Findings(std::string_view check, Severity severity, std::vector<Finding>& all)
        : check_{check}, severity_{severity}, all_{all} {}

    void pass(std::string object, std::string seen);
    // With the check's own severity, or the one given.
    void fail(Wrong wrong);
    void fail(Wrong wrong, Severity severity);
    void unknown(std::string object, std::string why);
    void not_applicable(std::string object, std::string why);

    [[nodiscard]] bool empty() const { return said_ == 0; }

  private:
    void add(Finding finding);

    std::string_view check_;
    Severity severity_;
    std::vector<Finding>& all_;
    std::size_t said_{0};
};

// One row of the table: docs/checks.md and ferrule-checks(7) are made from it.
struct Check {
    std::string_view name;
    // Whose question it is: "IB", "RoCE", "EFA", or several.
    std::string_view fabrics;
    Severity severity;
    // The question in one line.
    std::string_view asks;
    // Keys of the profile that it holds the node against; empty where it needs none.
    std::string_view keys;
    // What goes wrong where the answer is no, and what the check does without a profile.
    std::string_view why;
    void (*run)(const CheckInput&, Findings&);
};

// In the order in which they are run and listed.
[[nodiscard]] std::span<const Check> all_checks();
[[nodiscard]] const Check* find_check(std::string_view name);

struct CheckChoice {
    // Names; empty for all that the profile does not skip.
    std::vector<std::string> only{};
};

// Everything that all chosen checks say, worst first. `history` is of earlier runs and is not
// changed.
[[nodiscard]] std::vector<Finding> run_checks(const NodeSnapshot& snapshot,
                                              const NodeProfile& profile, const History& history,
                                              const CheckChoice& choice = {});

}  // namespace ferrule
