// The table of faults: every archive of tests/machines says in its header what is wrong with that
// machine ("# fault: CHECK OBJECT"), what follows from it ("# follows:") and what cannot be known
// ("# unknown:"). Each is read, judged and held against that, without a profile and under a profile
// learnt from the healthy machine it was made from. Exits 1 when a fault is missed, or something is
// said to be wrong that is not.
#include "fabric/base/text.h"
#include "fabric/check/check.h"
#include "fabric/check/facts.h"
#include "fabric/check/growth.h"
#include "fabric/check/learn.h"
#include "fabric/isolate/health_reader.h"
#include "fabric/read/settings.h"
#include "tests/support/machine.h"

#include <algorithm>
#include <chrono>
#include <iostream>
#include <map>
#include <set>

namespace {

using namespace ferrule;
using namespace ferrule::testing;

using Named = std::set<std::pair<std::string, std::string>>;

struct Machine {
    std::string name{};
    std::string base{};
    // The same node a while before.
    std::string earlier{};
    // Where the profile is learnt; the base, where nothing is said.
    std::string profile{};
    // Lines of the profile behind what was learnt.
    std::string rules{};
    Named faults{};
    Named follows{};
    Named unknown{};
};

Machine header_of(const std::string& name) {
    Machine machine{};
    machine.name = name;
    const std::string text = slurp(std::string{FERRULE_MACHINES} + "/" + name + ".machine");
    for (const std::string_view line : split(text, '\n')) {
        if (!line.starts_with("# ")) {
            break;
        }
        const auto parts = words(line);
        if (parts.size() < 3) {
            continue;
        }
        const std::string first{parts[2]};
        const std::string second{parts.size() > 3 ? parts[3] : ""};
        if (parts[1] == "base:") {
            machine.base = first;
        } else if (parts[1] == "earlier:") {
            machine.earlier = first;
        } else if (parts[1] == "profile:") {
            machine.profile = first;
        } else if (parts[1] == "rule:") {
            machine.rules += std::string{trimmed(line.substr(line.find("rule:") + 5))} + "\n";
        } else if (parts[1] == "fault:") {
            machine.faults.emplace(first, second);
        } else if (parts[1] == "follows:") {
            machine.follows.emplace(first, second);
        } else if (parts[1] == "unknown:") {
            machine.unknown.emplace(first, second);
        }
    }
    return machine;
}

// Read once; a busy machine may take its time.
const NodeSnapshot& snapshot_of(const std::string& name) {
    static std::map<std::string, NodeSnapshot> known;
    if (const auto found = known.find(name); found != known.end()) {
        return found->second;
    }
    HealthRequest request{};
    request.patience = std::chrono::minutes{2};
    auto snapshot = read_health(machine_tree(name), Source::Captured, request);
    if (!snapshot) {
        std::cerr << name << ": " << snapshot.error().text << '\n';
        std::exit(EXIT_FAILURE);
    }
    return known.emplace(name, std::move(*snapshot)).first->second;
}

NodeProfile learnt_from(const std::string& name, const std::string& rules) {
    const auto settings = parse_settings("learnt.conf", learn_profile({snapshot_of(name)}) + rules);
    if (!settings || settings->profiles.empty()) {
        std::cerr << name << ": its own profile does not read: "
                  << (settings ? "none" : settings.error().text) << '\n';
        std::exit(EXIT_FAILURE);
    }
    return settings->profiles.front();
}

History history_of(const std::string& name, const NodeProfile& profile) {
    const NodeSnapshot& snapshot = snapshot_of(name);
    History history =
        advance({}, snapshot, followed_counters(snapshot, scope_of(snapshot, profile)));
    history.last = {1, facts_of(snapshot, scope_of(snapshot, {})), {}};
    history.good = history.last;
    return history;
}

std::vector<Finding> judged(const Machine& machine, const NodeProfile& profile) {
    const NodeSnapshot& snapshot = snapshot_of(machine.name);
    const History before =
        machine.earlier.empty() ? History{} : history_of(machine.earlier, profile);
    const History now =
        advance(before, snapshot, followed_counters(snapshot, scope_of(snapshot, profile)));
    return run_checks(snapshot, profile, now);
}

Named of_outcome(const std::vector<Finding>& findings, Outcome outcome) {
    Named named;
    for (const Finding& finding : findings) {
        if (finding.outcome == outcome) {
            named.emplace(finding.check, finding.object);
        }
    }
    return named;
}

struct Score {
    std::size_t injected{0};
    std::size_t found{0};
    std::size_t false_findings{0};
    std::size_t unknown_wanted{0};
    std::size_t unknown_said{0};
};

class Table {
  public:
    void judge(const Machine& machine) {
        const bool whole = machine.base.empty();
        const std::string healthy = whole ? machine.name : machine.base;
        const std::string taught = machine.profile.empty() ? healthy : machine.profile;
        hold(machine, judged(machine, {}), "without a profile");
        // A machine that is ill itself teaches nothing.
        const bool teaches = !whole || machine.faults.empty() || !machine.profile.empty();
        if (teaches) {
            hold(machine, judged(machine, learnt_from(taught, machine.rules)),
                 "with the learnt profile");
        }
        for (const auto& fault : machine.faults) {
            Score& score = scores_[fault.first];
            ++score.injected;
            if (found_.contains(fault)) {
                ++score.found;
            } else {
                complain(machine, "missed", fault);
            }
        }
        for (const auto& wanted : machine.unknown) {
            Score& score = scores_[wanted.first];
            ++score.unknown_wanted;
            if (unknown_.contains(wanted)) {
                ++score.unknown_said;
            } else {
                complain(machine, "not said to be unknown", wanted);
            }
        }
        healthy_ += machine.faults.empty() ? 1U : 0U;
        machines_ += 1;
        found_.clear();
        unknown_.clear();
    }

    // The table, and whether every line of it is right.
    [[nodiscard]] bool print() const {
        std::cout
            << "| check | faults | found and named | false findings | unreadable | said so |\n"
               "|---|---|---|---|---|---|\n";
        Score sum{};
        for (const auto& [check, score] : scores_) {
            std::cout << "| " << check << " | " << score.injected << " | " << score.found << " | "
                      << score.false_findings << " | " << score.unknown_wanted << " | "
                      << score.unknown_said << " |\n";
            sum.injected += score.injected;
            sum.found += score.found;
            sum.false_findings += score.false_findings;
            sum.unknown_wanted += score.unknown_wanted;
            sum.unknown_said += score.unknown_said;
        }
        std::cout << "\n"
                  << machines_ << " machines, " << healthy_ << " of them healthy; " << sum.injected
                  << " faults, " << sum.found << " found; " << sum.false_findings
                  << " false findings; " << sum.unknown_said << " of " << sum.unknown_wanted
                  << " unreadable things said to be unknown\n";
        return right_;
    }

  private:
    void hold(const Machine& machine, const std::vector<Finding>& findings, const char* how) {
        for (const auto& failed : of_outcome(findings, Outcome::Fail)) {
            found_.insert(failed);
            const bool known = machine.faults.contains(failed) || machine.follows.contains(failed);
            if (!known) {
                ++scores_[failed.first].false_findings;
                complain(machine, how, failed);
                for (const Finding& it : findings) {
                    if (it.check == failed.first && it.object == failed.second) {
                        std::cerr << "    " << it.seen << "; wanted " << it.wanted << " ["
                                  << it.rule << "]\n";
                    }
                }
            }
        }
        unknown_.merge(of_outcome(findings, Outcome::Unknown));
    }

    void complain(const Machine& machine, const char* what,
                  const std::pair<std::string, std::string>& finding) {
        std::cerr << machine.name << ": " << finding.first << " " << finding.second << ": " << what
                  << '\n';
        right_ = false;
    }

    std::map<std::string, Score> scores_{};
    Named found_{};
    Named unknown_{};
    std::size_t machines_{0};
    std::size_t healthy_{0};
    bool right_{true};
};

}  // namespace

int main(int argc, char** argv) {
    Table table;
    // All of them, or those named.
    const std::vector<std::string> given{argv + 1, argv + argc};
    for (const std::string& name : given.empty() ? machine_names() : given) {
        table.judge(header_of(name));
    }
    return table.print() ? EXIT_SUCCESS : EXIT_FAILURE;
}
