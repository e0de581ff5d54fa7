// Writes docs/cases-env.md: publicly reported cases, each with its input, our answer and the right
// one. Exits 1 where ours is not the right one. cases.ini holds them.
#include "fabric/base/text.h"
#include "fabric/policy/environment.h"
#include "fabric/policy/forecast.h"
#include "fabric/policy/lint.h"
#include "fabric/policy/ownership.h"
#include "fabric/read/ini.h"
#include "fabric/read/node.h"
#include "fabric/read/settings.h"
#include "tests/support/machine.h"

#include <algorithm>
#include <iostream>
#include <vector>

namespace {

using namespace ferrule;
using namespace ferrule::testing;

struct Case {
    std::string name{};
    std::string report{};
    std::string seen{};
    std::string right{};
    std::string machine{};
    std::string gpus{};
    std::string visible{};
    std::string peers{};
    // Lines of a profile, and of its environment.
    std::string profile{};
    std::string site{};
    Environment user{};
    // What must hold: the kind ("note", "lint", "port" or a variable) and the text.
    std::vector<std::pair<std::string, std::string>> wants{};
};

struct Answer {
    EnvPlan plan{};
    Environment after{};
    std::vector<LintFinding> findings{};
};

void take(Case& it, const std::string& key, const std::string& value) {
    const auto is = [&](std::string_view prefix) { return key.starts_with(prefix); };
    const std::string rest = key.substr(std::min(key.find('.') + 1, key.size()));
    if (is("profile.")) {
        it.profile += rest + " = " + value + "\n";
    } else if (is("site.")) {
        it.site += rest + " = " + value + "\n";
    } else if (is("set.")) {
        it.user[rest] = value;
    } else if (is("want.")) {
        it.wants.emplace_back(rest, value);
    } else {
        std::string* const field = key == "report"    ? &it.report
                                   : key == "seen"    ? &it.seen
                                   : key == "right"   ? &it.right
                                   : key == "machine" ? &it.machine
                                   : key == "gpus"    ? &it.gpus
                                   : key == "visible" ? &it.visible
                                   : key == "peers"   ? &it.peers
                                                      : nullptr;
        if (field == nullptr) {
            std::cerr << "cases.ini: " << it.name << ": unknown key " << key << "\n";
            std::exit(2);
        }
        *field = value;
    }
}

std::vector<Case> read_cases() {
    const std::string file = FERRULE_CASES;
    const Ini ini = parse_ini(file, slurp(file)).value();
    std::vector<Case> cases;
    for (const IniSection& section : ini.sections) {
        cases.push_back({});
        cases.back().name = section.name;
        for (const IniEntry& entry : ini.entries) {
            if (entry.section == section.name) {
                take(cases.back(), entry.key, entry.value);
            }
        }
    }
    return cases;
}

NodeProfile profile_of(const Case& it) {
    const std::string text =
        "[profile site]\n" + it.profile + (it.site.empty() ? "" : "[environment site]\n" + it.site);
    return parse_settings(it.name, text).value().profiles.front();
}

Answer answer(const Case& it) {
    ReadRequest request{};
    for (const std::string_view peer : split(it.peers, ' ')) {
        request.peers.push_back({std::string{peer}, parse_ip(peer), PeerRole::Member, {}});
    }
    const NodeSnapshot snapshot =
        read_node(machine_tree(it.machine), Source::Captured, request).value();
    const NodeProfile profile = profile_of(it);
    Answer result{};
    result.plan = plan_environment(snapshot, profile, {FabricMode::Auto, it.gpus, it.visible});
    const Ownership ownership = settle_ownership(result.plan.variables, it.user);
    result.after = environment_after(ownership, it.user);
    result.findings = lint_environment(
        {snapshot, result.plan, it.user, profile.nccl.value_or(newest_known_nccl())}, {});
    result.plan.forecasts = forecast_nccl(snapshot, result.plan, result.after, profile.nccl);
    return result;
}

// What we say of that kind: the value of a variable, or the sentence that holds the text.
std::string said(const Answer& answer, const std::string& kind, const std::string& text) {
    std::vector<std::string> sentences;
    if (kind == "forecasts") {
        for (const NcclForecast& it : answer.plan.forecasts) {
            sentences.push_back(it.as_planned ? "good" : "other");
        }
        const auto same = std::ranges::unique(sentences);
        sentences.erase(same.begin(), same.end());
        return joined(sentences, ", then ");
    }
    if (kind == "hcas") {
        for (const PortVerdict& it : answer.plan.ports) {
            if (it.used && std::ranges::count(sentences, it.hca) == 0) {
                sentences.push_back(it.hca);
            }
        }
        std::ranges::sort(sentences, natural_less);
        return joined(sentences, " ");
    }
    if (kind == "note") {
        sentences = answer.plan.notes;
    } else if (kind == "lint") {
        for (const LintFinding& finding : answer.findings) {
            sentences.push_back(finding.variable + ": " + finding.sentence);
        }
    } else if (kind == "port") {
        for (const PortVerdict& it : answer.plan.ports) {
            sentences.push_back(it.hca + ":" + std::to_string(it.port) +
                                (it.used ? " used" : " left out") + ": " + it.reason);
        }
    } else if (kind == "reason") {
        for (const EnvChange& it : answer.plan.variables) {
            sentences.push_back(it.name + ": " + it.reason);
        }
    } else if (kind == "forecast") {
        for (const NcclForecast& it : answer.plan.forecasts) {
            sentences.push_back((it.as_planned ? "good: " : "other: ") + it.text);
        }
    } else {
        const auto found = answer.after.find(kind);
        return found == answer.after.end() ? "(unset)" : found->second;
    }
    const auto found = std::ranges::find_if(sentences, [&](const std::string& sentence) {
        return sentence.find(text) != std::string::npos;
    });
    return found == sentences.end() ? "(nothing)" : *found;
}

bool holds(const std::string& kind, const std::string& got, const std::string& wanted) {
    const bool sentence = kind == "note" || kind == "lint" || kind == "port" || kind == "reason" ||
                          kind == "forecast";
    return sentence ? got != "(nothing)" : got == wanted;
}

std::string cell(std::string text) {
    for (std::size_t at = 0; (at = text.find('|', at)) != std::string::npos; at += 2) {
        text.replace(at, 1, "\\|");
    }
    return text;
}

std::string input_of(const Case& it) {
    std::string text = it.machine;
    for (const auto& [name, value] : it.user) {
        text += ", " + name + "=`" + value + "`";
    }
    for (const auto& [label, value] : {std::pair{"GPUs ", it.gpus}, {"visible ", it.visible}}) {
        text += value.empty() ? "" : ", " + std::string{label} + value;
    }
    for (const std::string& lines : {it.profile, it.site}) {
        for (const std::string_view line : split(lines, '\n')) {
            text += line.empty() ? "" : ", profile: `" + std::string{line} + "`";
        }
    }
    return text;
}

}  // namespace

int main() {
    std::size_t wrong = 0;
    std::size_t checks = 0;
    const std::vector<Case> cases = read_cases();
    std::cout
        << "# Reported cases and our answers\n\n"
           "Publicly reported failures that the environment of a job can cause or avoid, each "
           "rebuilt on a machine of\n`tests/machines`. Written by "
           "`tests/proof/cases_table.cc` from `cases.ini` beside it; a test holds this file\n"
           "against it and fails where our answer is not the right one.\n\n"
           "| case | report | what was seen | input | our answer | right answer |\n"
           "|---|---|---|---|---|---|\n";
    for (const Case& it : cases) {
        const Answer given = answer(it);
        std::string ours;
        for (const auto& [kind, wanted] : it.wants) {
            const std::string got = said(given, kind, wanted);
            const bool right = holds(kind, got, wanted);
            const bool variable = given.after.contains(kind) || got == "(unset)" ||
                                  kind == "hcas" || kind == "forecasts";
            wrong += right ? 0 : 1;
            ++checks;
            ours += (ours.empty() ? "" : "<br>") + std::string{right ? "" : "WRONG: "} +
                    (variable ? kind + "=`" + got + "`" : got);
            if (!right) {
                std::cerr << it.name << ": " << kind << ": got " << got << ", wanted " << wanted
                          << "\n";
            }
        }
        std::cout << "| " << it.name << " | " << cell(it.report) << " | " << cell(it.seen) << " | "
                  << cell(input_of(it)) << " | " << cell(ours) << " | " << cell(it.right) << " |\n";
    }
    std::cout << "\n"
              << cases.size() << " cases, " << checks << " answers, " << wrong << " wrong.\n";
    return wrong == 0 ? 0 : 1;
}
