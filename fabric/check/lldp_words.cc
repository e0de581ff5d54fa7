#include "fabric/check/lldp_words.h"

#include <algorithm>
#include <cerrno>

namespace ferrule {

namespace {

// Of the socket for all interfaces, or of the frame that came on this one; but for a frame that
// says that the switch goes away, which is as good as silence.
bool is_about(const ReadProblem& problem, const std::string& netdev) {
    return (problem.where == "lldp" || problem.where == "lldp " + netdev ||
            problem.where == "ferrule/lldp/" + netdev) &&
           problem.error_number != ECONNABORTED;
}

}  // namespace

const LldpNeighbour* neighbour_or_say(const CheckInput& input, const Subject& it,
                                      Findings& findings) {
    if (it.netdev->lldp) {
        return &*it.netdev->lldp;
    }
    if (it.netdev->carrier == false) {
        findings.not_applicable(it.object, "no link to the switch");
        return nullptr;
    }
    const auto subjects = interface_subjects(input);
    const bool others = std::ranges::any_of(
        subjects, [](const Subject& other) { return other.netdev->lldp.has_value(); });
    const auto& problems = input.snapshot.problems;
    const auto problem = std::ranges::find_if(
        problems, [&](const ReadProblem& one) { return is_about(one, it.netdev->name); });
    if (problem != problems.end()) {
        findings.unknown(it.object, "the switch's frame: " + problem->what);
    } else if (others) {
        findings.unknown(it.object, "nothing heard of the switch, unlike on other rails");
    } else {
        findings.not_applicable(it.object, "nothing heard of the switch");
    }
    return nullptr;
}

}  // namespace ferrule
