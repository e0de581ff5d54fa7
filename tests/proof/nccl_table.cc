// Writes docs/nccl-versions.md: every machine of the collection against every kind of NCCL, as
// simulated under the plan for that version. Exits 1 where NCCL would do other than planned and the
// plan does not say what would help.
#include "fabric/policy/environment.h"
#include "fabric/policy/forecast.h"
#include "fabric/policy/ownership.h"
#include "fabric/read/node.h"
#include "tests/support/machine.h"

#include <algorithm>
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

// The remedy that a plan names for a version it cannot satisfy.
std::string remedy(const EnvPlan& plan) {
    for (const EnvChange& change : plan.variables) {
        const std::size_t use = change.reason.find("use NCCL");
        const std::size_t reads = change.reason.find("NCCL reads the first entries only");
        if (use != std::string::npos) {
            return change.reason.substr(use);
        }
        if (reads != std::string::npos) {
            return change.reason.substr(reads);
        }
    }
    for (const std::string& note : plan.notes) {
        if (note.find("put it on a dummy interface") != std::string::npos ||
            note.find("give the ports a routable address") != std::string::npos) {
            return note;
        }
    }
    return {};
}

Cell cell(const NodeSnapshot& snapshot, const NcclVersion& version) {
    NodeProfile profile{};
    profile.nccl = version;
    const EnvPlan plan = plan_environment(snapshot, profile, {});
    const Environment environment = environment_after(settle_ownership(plan.variables, {}), {});
    const NcclOutcome outcome = simulate_nccl(snapshot, environment, version);
    const std::vector<std::string> other = deviations(plan, outcome);
    if (!other.empty()) {
        const std::string help = remedy(plan);
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
            const Cell it = cell(snapshot, version);
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
