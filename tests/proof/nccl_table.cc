// Writes docs/nccl-versions.md: every machine of the collection against every kind of NCCL, as
// simulated under the plan for that version. Exits 1 where NCCL would do other than planned and the
// plan does not say what would help.
#include "fabric/policy/environment.h"
#include "fabric/policy/forecast.h"
#include "fabric/policy/ownership.h"
#include "fabric/read/node.h"
#include "tests/support/machine.h"

#include <algorithm>
#include <array>
#include <iostream>
#include <map>
#include <vector>

namespace {

using namespace ferrule;
using namespace ferrule::testing;

struct Cell {
    bool good{false};
    std::string text{};
    // The plan names the setting or the version that would help.
    bool excused{false};
};

std::string planned_interface(const EnvPlan& plan) {
    const auto used = std::ranges::find(plan.interfaces, true, &InterfaceVerdict::used);
    return used == plan.interfaces.end() ? "none" : used->name;
}

// What no plan can cure, by machine and the last version it holds for, and what the plan says of
// it.
struct Impossible {
    std::string_view machine;
    NcclVersion last;
    std::string_view said;
};

constexpr std::array kImpossible{
    // One index for two rails that need unlike ones.
    Impossible{"gid-shifted", {2, 20, 5}, "use NCCL 2.21.0 or later"},
    Impossible{"pod-macvlan-rows", {2, 21, 5}, "use NCCL 2.26.2 or later"},
    // NCCL keeps one address of lo, and that is 127.0.0.1.
    Impossible{"bgp-unnumbered", {99, 0, 0}, "put it on a dummy interface"},
    // Two ports beside each other may talk over link-local GIDs, so they are not forbidden.
    Impossible{"gid-link-local-only", {99, 0, 0}, "give the ports a routable address"},
};

// The plan's own words on what cannot be; empty where it should have been possible, or nothing is
// said.
std::string remedy(const std::string& machine, const NcclVersion& version, const EnvPlan& plan) {
    const auto* const known = std::ranges::find_if(kImpossible, [&](const Impossible& it) {
        return it.machine == machine && version <= it.last;
    });
    std::vector<std::string> sentences = plan.notes;
    for (const EnvChange& change : plan.variables) {
        sentences.push_back(change.reason);
    }
    const auto said = std::ranges::find_if(sentences, [&](const std::string& sentence) {
        return known != kImpossible.end() && sentence.find(known->said) != std::string::npos;
    });
    return said == sentences.end() ? std::string{} : std::string{known->said};
}

Cell cell(const std::string& machine, const NodeSnapshot& snapshot, const NcclVersion& version) {
    NodeProfile profile{};
    profile.nccl = version;
    const EnvPlan plan = plan_environment(snapshot, profile, {});
    const Environment environment = environment_after(settle_ownership(plan.variables, {}), {});
    const NcclOutcome outcome = simulate_nccl(snapshot, environment, version);
    const std::vector<std::string> other = deviations(plan, outcome);
    if (!other.empty()) {
        const std::string help = remedy(machine, version, plan);
        return {false, other.front() + (help.empty() ? "" : "; the plan says: " + help),
                !help.empty()};
    }
    std::string rows;
    for (const NcclPort& port : outcome.ports) {
        const std::string row = port.gid_index ? std::to_string(*port.gid_index) : "";
        if (!row.empty() && (" " + rows + " ").find(" " + row + " ") == std::string::npos) {
            rows += (rows.empty() ? "" : " ") + row;
        }
    }
    return {true,
            std::to_string(outcome.ports.size()) + " ports" +
                (rows.empty() ? "" : ", row " + rows) + ", " + planned_interface(plan),
            false};
}

}  // namespace

int main() {
    int bad = 0;
    std::map<std::string, std::size_t> counts;
    std::cout
        << "# Every machine, every NCCL\n\n"
           "For each machine of `tests/machines` and one NCCL of every kind of behaviour: what "
           "NCCL, as\nsimulated by `fabric/nccl`, does under the plan made for that version. "
           "A cell is what it uses, where\nthat is exactly the plan: ports, rows of the GID "
           "table that it sends from (RoCE), interface that it\nlistens on. Written by "
           "`tests/proof/nccl_table.cc`; a test holds this file against it.\n\n"
           "| machine | fabric |";
    for (const NcclVersion& version : kTellingVersions) {
        std::cout << " " << to_text(version) << " |";
    }
    std::cout << "\n|---|---|";
    for (std::size_t i = 0; i < kTellingVersions.size(); ++i) {
        std::cout << "---|";
    }
    std::cout << "\n";
    for (const std::string& machine : machine_names()) {
        const NodeSnapshot snapshot =
            read_node(machine_tree(machine), Source::Captured, {}).value();
        std::cout << "| " << machine << " | " << to_text(plan_environment(snapshot, {}, {}).fabric)
                  << " |";
        std::string last;
        for (const NcclVersion& version : kTellingVersions) {
            const Cell it = cell(machine, snapshot, version);
            ++counts[it.good ? "as planned" : it.excused ? "not possible, and said" : "wrong"];
            bad += it.good || it.excused ? 0 : 1;
            const std::string text = (it.good      ? ""
                                      : it.excused ? "("
                                                   : "WRONG: ") +
                                     it.text + (it.good || !it.excused ? "" : ")");
            std::cout << " " << (text == last ? "same" : text) << " |";
            last = text;
        }
        std::cout << "\n";
    }
    std::cout << "\n";
    for (const auto& [verdict, count] : counts) {
        std::cout << count << " " << verdict << ". ";
    }
    std::cout << "\n";
    return bad == 0 ? 0 : 1;
}
