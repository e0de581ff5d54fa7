#include "fabric/check/checks.h"
#include "fabric/check/compare.h"

#include <fmt/format.h>

namespace ferrule {

namespace {

std::string service_text(TransmitSelection selection, std::optional<unsigned> bandwidth) {
    return bandwidth && selection == TransmitSelection::Ets
               ? fmt::format("{} {} %", to_text(selection), *bandwidth)
               : to_text(selection);
}

void check_class(const CheckInput& input, const Subject& it, const ClassService& wanted,
                 Findings& findings) {
    const auto ets = it.netdev->dcb ? it.netdev->dcb->ets : std::optional<EtsState>{};
    if (!ets) {
        findings.unknown(it.object, why_unread(input.snapshot, dcb_source(it)));
        return;
    }
    const TransmitSelection selection = ets->selection.at(wanted.traffic_class);
    const unsigned bandwidth = ets->bandwidth.at(wanted.traffic_class);
    const bool fits = selection == wanted.selection &&
                      bandwidth == wanted.bandwidth.value_or(static_cast<std::uint8_t>(bandwidth));
    const std::string seen =
        fmt::format("class {} is {}", wanted.traffic_class, service_text(selection, bandwidth));
    if (fits) {
        findings.pass(it.object, seen);
        return;
    }
    findings.fail({it.object, seen, service_text(wanted.selection, wanted.bandwidth),
                   rule_of(input.profile, "ets"), "mlnx_qos --tsa and --tcbw, or dcb ets set"});
}

}  // namespace

void check_ets(const CheckInput& input, Findings& findings) {
    for (const Subject& subject : interface_subjects(input)) {
        for (const ClassService& service : input.profile.expected.ets) {
            check_class(input, subject, service, findings);
        }
    }
    if (input.profile.expected.ets.empty()) {
        findings.not_applicable("node", "the profile says nothing of traffic classes");
    }
}

}  // namespace ferrule
