#include "fabric/check/check_words.h"
#include "fabric/check/checks.h"
#include "fabric/check/facts.h"

#include <fmt/format.h>

#include <algorithm>

namespace ferrule {

namespace {

bool is_judged(const Scope& scope, const std::string& object) {
    return std::ranges::count(scope.ports, object, &ScopedPort::object) > 0 ||
           std::ranges::count(scope.unused, object) > 0;
}

// Rails of the last good run that nobody looks at now. Where there are as many as there were, they
// have other names.
std::vector<std::string> lost_rails(const CheckInput& input) {
    std::vector<std::string> lost = rails_of(input.history.good.facts);
    const auto now = std::ranges::count(input.scope.ports, std::string{}, &ScopedPort::like);
    if (static_cast<std::size_t>(now) >= lost.size()) {
        return {};
    }
    std::erase_if(lost, [&](const std::string& object) { return is_judged(input.scope, object); });
    return lost;
}

std::string why_left_out(const Scope& scope, const std::string& object) {
    const auto found = std::ranges::find(scope.left_out, object, &LeftOut::object);
    return found == scope.left_out.end() ? "not on this node" : "no rail: " + found->reason;
}

void say_lost(const CheckInput& input, const std::string& object, Findings& findings) {
    const auto state = input.facts.find(object + " state");
    const bool down = state != input.facts.end() && state->second != to_text(PortState::Active);
    findings.fail(
        {object, why_left_out(input.scope, object), "a rail", "it was one in the last good run",
         "look at its cable, its interface and its addresses; if this is on purpose, say "
         "unused in the profile"},
        down ? Severity::Critical : Severity::Warning);
}

}  // namespace

void check_rails(const CheckInput& input, Findings& findings) {
    if (!input.profile.rails.empty()) {
        findings.not_applicable("node", "the profile names the rails");
        return;
    }
    const auto lost = lost_rails(input);
    for (const std::string& object : lost) {
        say_lost(input, object, findings);
    }
    for (const LeftOut& port : input.scope.left_out) {
        if (std::ranges::count(lost, port.object) == 0) {
            findings.not_applicable(port.object, "no rail: " + port.reason);
        }
    }
    const std::size_t judged = input.scope.ports.size();
    const std::size_t others = input.scope.left_out.size();
    if (judged > 0) {
        findings.pass("node", fmt::format("{} of {} RDMA ports judged", judged, judged + others));
    } else if (others > 0 && lost.empty() && input.scope.unused.empty()) {
        findings.unknown("node", fmt::format("none of {} RDMA ports is a rail; name the rails or "
                                             "the unused ports in a profile",
                                             others));
    }
    if (findings.empty()) {
        findings.not_applicable("node", "no RDMA port");
    }
}

}  // namespace ferrule
