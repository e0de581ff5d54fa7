// Writes docs/cases-health.md: publicly reported cases of sick and healthy nodes, each with its
// machine, our outcome and the right one. Exits 1 where ours is not right. health_cases.ini holds
// them.
#include "fabric/base/text.h"
#include "fabric/check/check.h"
#include "fabric/check/facts.h"
#include "fabric/check/growth.h"
#include "fabric/isolate/health_reader.h"
#include "fabric/read/ini.h"
#include "fabric/read/settings.h"
#include "fabric/state/history_text.h"
#include "tests/support/machine.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <iostream>
#include <map>
#include <utility>
#include <vector>

namespace {

using namespace ferrule;
using namespace ferrule::testing;

// What must hold: the kind (a key of health_cases.ini) and what stands behind it.
struct Want {
    std::string kind{};
    std::string text{};
};

struct Case {
    std::string name{};
    std::string report{};
    std::string seen{};
    std::string right{};
    std::string machine{};
    // Machines that the same node was in runs before, oldest first.
    std::string earlier{};
    std::string profile{};
    std::vector<Want> wants{};
};

// What of ours answers one want, and whether that is right.
struct Answer {
    std::string text{};
    bool right{false};
};

constexpr std::array<std::string_view, 5> kKinds{"want", "want_not", "want_once", "want_text",
                                                 "want_verdict"};

[[noreturn]] void give_up(const std::string& sentence) {
    std::cerr << "health_cases.ini: " << sentence << "\n";
    std::exit(2);
}

void take(Case& it, const std::string& key, const std::string& value) {
    if (key.starts_with("profile.")) {
        it.profile += key.substr(key.find('.') + 1) + " = " + value + "\n";
        return;
    }
    if (std::ranges::count(kKinds, key) > 0) {
        it.wants.push_back({key, value});
        return;
    }
    const std::map<std::string_view, std::string*> fields{
        {"report", &it.report},   {"seen", &it.seen},       {"right", &it.right},
        {"machine", &it.machine}, {"earlier", &it.earlier},
    };
    const auto field = fields.find(key);
    if (field == fields.end()) {
        give_up(it.name + ": unknown key " + key);
    }
    // A second line of the same key goes on where the first one ended.
    *field->second += (field->second->empty() ? "" : " ") + value;
}

std::vector<Case> read_cases() {
    const Ini ini = parse_ini(FERRULE_HEALTH_CASES, slurp(FERRULE_HEALTH_CASES)).value();
    std::vector<Case> cases;
    cases.reserve(ini.sections.size());
    for (const IniSection& section : ini.sections) {
        const bool twice = std::ranges::count(cases, section.name, &Case::name) > 0;
        if (twice) {
            give_up("two cases are called " + section.name);
        }
        cases.push_back({});
        cases.back().name = section.name;
        for (const IniEntry& entry : ini.entries) {
            if (entry.section == section.name) {
                take(cases.back(), entry.key, entry.value);
            }
        }
        if (cases.back().wants.empty()) {
            give_up(section.name + ": nothing must hold");
        }
    }
    return cases;
}

NodeProfile profile_of(const Case& it) {
    const auto settings = parse_settings("ferrule.conf", "[profile site]\n" + it.profile);
    if (!settings) {
        give_up(it.name + ": " + settings.error().text);
    }
    return settings->profiles.front();
}

// Read once for all cases, with patience for a busy machine.
const NodeSnapshot& snapshot_of(const std::string& machine) {
    static std::map<std::string, NodeSnapshot> snapshots;
    const auto known = snapshots.find(machine);
    if (known != snapshots.end()) {
        return known->second;
    }
    HealthRequest request{};
    request.patience = std::chrono::seconds{30};
    auto snapshot = read_health(machine_tree(machine), Source::Captured, request);
    if (!snapshot) {
        give_up(machine + ": " + snapshot.error().text);
    }
    return snapshots.emplace(machine, std::move(*snapshot)).first->second;
}

// One run on a machine, which then is the last one of the history. That goes through its file, as
// between two runs of the program.
std::vector<Finding> run_on(const std::string& machine, const NodeProfile& profile,
                            History& history) {
    const NodeSnapshot& snapshot = snapshot_of(machine);
    const auto followed = followed_counters(snapshot, scope_of(snapshot, profile));
    history = advance(history, snapshot, followed);
    std::vector<Finding> findings = run_checks(snapshot, profile, history);
    history.last = {1, facts_of(snapshot, scope_of(snapshot, {})), {}};
    auto kept = parse_history(to_text(history));
    if (!kept) {
        give_up("the history of " + machine + ": " + kept.error().text);
    }
    history = std::move(*kept);
    return findings;
}

std::vector<Finding> findings_of(const Case& it) {
    const NodeProfile profile = profile_of(it);
    History history{};
    for (const std::string_view machine : split(it.earlier, ' ')) {
        if (!machine.empty()) {
            run_on(std::string{machine}, profile, history);
        }
    }
    return run_on(it.machine, profile, history);
}

// The words of a finding without its remedy.
std::string said(const Finding& it) {
    const std::string wanted = it.wanted.empty() ? "" : ", wanted " + it.wanted;
    return fmt::format("{} {}: {}: {}{}", it.check, it.object, to_text(it.outcome), it.seen,
                       wanted);
}

std::string sentence(const Finding& it) {
    return said(it) + (it.rule.empty() ? "" : " (" + it.rule + ")") +
           (it.remedy.empty() ? "" : "; " + it.remedy);
}

// "CHECK OBJECT OUTCOME", where an asterisk is any check or any object.
struct Pattern {
    std::string check{};
    std::string object{};
    std::string outcome{};

    [[nodiscard]] bool names(const Finding& it) const {
        return (check == "*" || check == it.check) && (object == "*" || object == it.object);
    }

    [[nodiscard]] bool fits(const Finding& it) const {
        return names(it) && to_text(it.outcome) == outcome;
    }
};

Pattern pattern_of(const std::string& text) {
    const std::size_t first = text.find(' ');
    const std::size_t second = first == std::string::npos ? first : text.find(' ', first + 1);
    if (second == std::string::npos) {
        give_up("\"" + text + "\" is not CHECK OBJECT OUTCOME");
    }
    Pattern pattern{text.substr(0, first), text.substr(first + 1, second - first - 1),
                    text.substr(second + 1)};
    constexpr std::array kOutcomes{Outcome::NotApplicable, Outcome::Pass, Outcome::Unknown,
                                   Outcome::Fail};
    const bool outcome =
        std::ranges::any_of(kOutcomes, [&](Outcome it) { return to_text(it) == pattern.outcome; });
    if (!outcome || (pattern.check != "*" && find_check(pattern.check) == nullptr)) {
        give_up("\"" + text + "\" names no check or no outcome");
    }
    return pattern;
}

Answer answer_pattern(const std::vector<Finding>& findings, const std::string& text) {
    const Pattern pattern = pattern_of(text);
    const auto found =
        std::ranges::find_if(findings, [&](const Finding& it) { return pattern.fits(it); });
    if (found != findings.end()) {
        return {said(*found), true};
    }
    const auto other =
        std::ranges::find_if(findings, [&](const Finding& it) { return pattern.names(it); });
    return {other == findings.end() ? fmt::format("nothing of {} {}", pattern.check, pattern.object)
                                    : said(*other),
            false};
}

Answer answer_not(const std::vector<Finding>& findings, const std::string& text) {
    const Pattern pattern = pattern_of(text);
    const auto found =
        std::ranges::find_if(findings, [&](const Finding& it) { return pattern.fits(it); });
    if (found != findings.end()) {
        return {said(*found), false};
    }
    const std::string whom = (pattern.check == "*" ? "any check" : pattern.check) +
                             (pattern.object == "*" ? "" : " " + pattern.object);
    return {fmt::format("no \"{}\" of {}", pattern.outcome, whom), true};
}

Answer answer_once(const std::vector<Finding>& findings, const std::string& text) {
    const Pattern pattern = pattern_of(text);
    const auto count =
        std::ranges::count_if(findings, [&](const Finding& it) { return pattern.fits(it); });
    Answer answer = answer_pattern(findings, text);
    if (answer.right) {
        answer.text += count == 1 ? ", once" : fmt::format(", {} times", count);
        answer.right = count == 1;
    }
    return answer;
}

Answer answer_text(const std::vector<Finding>& findings, const std::string& text) {
    const auto found = std::ranges::find_if(
        findings, [&](const Finding& it) { return sentence(it).find(text) != std::string::npos; });
    return found == findings.end() ? Answer{"nothing says \"" + text + "\"", false}
                                   : Answer{sentence(*found), true};
}

Answer answer(const std::vector<Finding>& findings, const Want& want) {
    if (want.kind == "want") {
        return answer_pattern(findings, want.text);
    }
    if (want.kind == "want_not") {
        return answer_not(findings, want.text);
    }
    if (want.kind == "want_once") {
        return answer_once(findings, want.text);
    }
    if (want.kind == "want_text") {
        return answer_text(findings, want.text);
    }
    const std::string_view verdict = to_text(verdict_of(findings));
    return {fmt::format("the node: {}", verdict), verdict == want.text};
}

std::string cell(std::string text) {
    for (std::size_t at = 0; (at = text.find('|', at)) != std::string::npos; at += 2) {
        text.replace(at, 1, "\\|");
    }
    return text;
}

std::string input_of(const Case& it) {
    std::string text = it.machine;
    text += it.earlier.empty() ? "" : ", after " + it.earlier;
    for (const std::string_view line : split(it.profile, '\n')) {
        text += line.empty() ? "" : ", profile: `" + std::string{line} + "`";
    }
    return text;
}

struct Tally {
    std::size_t answers{0};
    std::size_t wrong{0};
};

// One line of the table.
Tally write_case(const Case& it) {
    const std::vector<Finding> findings = findings_of(it);
    Tally tally{};
    std::string ours;
    for (const Want& want : it.wants) {
        const Answer given = answer(findings, want);
        ++tally.answers;
        tally.wrong += given.right ? 0U : 1U;
        ours += (ours.empty() ? "" : "<br>") + given.text;
        if (!given.right) {
            std::cerr << fmt::format("{}: {} = {}: got {}\n", it.name, want.kind, want.text,
                                     given.text);
        }
    }
    std::cout << fmt::format("| {} | {} | {} | {} | {} | {} | {} |\n", it.name, cell(it.report),
                             cell(it.seen), cell(input_of(it)), cell(ours), cell(it.right),
                             tally.wrong == 0 ? "right" : "WRONG");
    return tally;
}

constexpr std::string_view kHead =
    "# Reported cases and what a health check says of them\n\n"
    "Publicly reported situations in which a check of a node saw too much or too little, each "
    "rebuilt on a machine of\n`tests/machines`. Written by `tests/proof/health_cases_table.cc` "
    "from `health_cases.ini` beside it; a test holds this\nfile against it and fails where our "
    "outcome is not the right one. \"After\" names the machines of earlier runs, whose\nmemory "
    "the run has; \"no ... of any check\" that nothing on the whole node came to that.\n\n"
    "| case | report | what was seen | input | our outcome | right outcome | |\n"
    "|---|---|---|---|---|---|---|\n";

}  // namespace

int main() {
    const std::vector<Case> cases = read_cases();
    Tally all{};
    std::cout << kHead;
    for (const Case& it : cases) {
        const Tally tally = write_case(it);
        all.answers += tally.answers;
        all.wrong += tally.wrong;
    }
    std::cout << fmt::format("\n{} cases, {} answers, {} wrong.\n", cases.size(), all.answers,
                             all.wrong);
    return all.wrong == 0 ? 0 : 1;
}
