#include "fabric/check/check.h"
#include "fabric/check/facts.h"
#include "fabric/check/growth.h"

#include <algorithm>

namespace ferrule {

void Findings::add(Finding finding) {
    finding.check = check_;
    ++said_;
    all_.push_back(std::move(finding));
}

void Findings::pass(std::string object, std::string seen) {
    add({{}, std::move(object), Outcome::Pass, severity_, std::move(seen), {}, {}, {}});
}

void Findings::fail(Wrong wrong) {
    fail(std::move(wrong), severity_);
}

void Findings::fail(Wrong wrong, Severity severity) {
    add({{},
         std::move(wrong.object),
         Outcome::Fail,
         severity,
         std::move(wrong.seen),
         std::move(wrong.wanted),
         std::move(wrong.rule),
         std::move(wrong.remedy)});
}

void Findings::unknown(std::string object, std::string why) {
    add({{}, std::move(object), Outcome::Unknown, severity_, std::move(why), {}, {}, {}});
}

void Findings::not_applicable(std::string object, std::string why) {
    add({{}, std::move(object), Outcome::NotApplicable, severity_, std::move(why), {}, {}, {}});
}

const Check* find_check(std::string_view name) {
    const auto checks = all_checks();
    const auto found = std::ranges::find(checks, name, &Check::name);
    return found == checks.end() ? nullptr : &*found;
}

std::vector<Finding> run_checks(const NodeSnapshot& snapshot, const NodeProfile& profile,
                                const History& history, const CheckChoice& choice) {
    const Scope scope = scope_of(snapshot, profile);
    const Facts facts = facts_of(snapshot, scope);
    const auto counters = followed_counters(snapshot, scope);
    const CheckInput input{snapshot, profile, scope, history, facts, counters};
    const auto is_chosen = [&](std::string_view name) {
        return choice.only.empty() ? std::ranges::count(profile.expected.skipped_checks, name) == 0
                                   : std::ranges::count(choice.only, name) > 0;
    };
    std::vector<Finding> all;
    for (const Check& check : all_checks()) {
        if (is_chosen(check.name)) {
            Findings findings{check.name, check.severity, all};
            check.run(input, findings);
        }
    }
    sort_worst_first(all);
    return all;
}

}  // namespace ferrule
