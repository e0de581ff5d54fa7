#include "fabric/check/check_words.h"
#include "fabric/check/checks.h"

#include <fmt/format.h>

#include <cerrno>

#include <system_error>

namespace ferrule {

namespace {

void check_probe(const CheckInput& input, const MtuProbe& probe, Findings& findings) {
    const std::string what = fmt::format("{} bytes to {}", probe.size, to_text(probe.peer));
    if (probe.answered) {
        findings.pass(probe.netdev, what + " came back whole");
    } else if (probe.error_number == EMSGSIZE || probe.small_answered) {
        findings.fail({probe.netdev,
                       what + (probe.error_number == EMSGSIZE ? " do not leave this node"
                                                              : " are lost, small packets are not"),
                       "an answer", rule_of(input.profile, "mtu_peers"),
                       "a port on the way has a smaller MTU: look at each switch port from here to "
                       "the peer"});
    } else if (probe.error_number != 0) {
        findings.unknown(probe.netdev,
                         what + ": " + std::generic_category().message(probe.error_number));
    } else {
        findings.unknown(probe.netdev, what + ": no answer, and none to a small packet either");
    }
}

}  // namespace

void check_mtu_path(const CheckInput& input, Findings& findings) {
    for (const MtuProbe& probe : input.snapshot.mtu_probes) {
        check_probe(input, probe, findings);
    }
    if (!findings.empty()) {
        return;
    }
    if (input.profile.expected.mtu_peers.empty()) {
        findings.not_applicable("node", "the profile names no mtu_peers");
    } else {
        findings.unknown("node", "no packet was sent: no rail has a way to mtu_peers");
    }
}

}  // namespace ferrule
