#include "fabric/check/lldp_words.h"

#include <algorithm>

namespace ferrule {

namespace {

const ReadProblem* problem_of_frame(const NodeSnapshot& snapshot, const std::string& netdev) {
    const auto found = std::ranges::find_if(snapshot.problems, [&](const ReadProblem& problem) {
        return problem.where == "lldp " + netdev || problem.where == "ferrule/lldp/" + netdev;
    });
    return found == snapshot.problems.end() ? nullptr : &*found;
}

}  // namespace

const LldpNeighbour* neighbour_or_say(const CheckInput& input, const Subject& it,
                                      Findings& findings) {
    if (it.netdev->lldp) {
        return &*it.netdev->lldp;
    }
    const auto subjects = interface_subjects(input);
    const bool others = std::ranges::any_of(
        subjects, [](const Subject& other) { return other.netdev->lldp.has_value(); });
    if (const ReadProblem* const problem = problem_of_frame(input.snapshot, it.object)) {
        findings.unknown(it.object, "the switch's frame: " + problem->what);
    } else if (others) {
        findings.unknown(it.object, "nothing heard of the switch, unlike on other rails");
    } else {
        findings.not_applicable(it.object, "nothing heard of the switch");
    }
    return nullptr;
}

}  // namespace ferrule
