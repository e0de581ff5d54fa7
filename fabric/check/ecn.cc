#include "fabric/check/checks.h"
#include "fabric/check/compare.h"
#include "fabric/check/growth.h"

#include <fmt/format.h>

#include <algorithm>

namespace ferrule {

namespace {

std::string switch_on(const std::string& netdev) {
    return fmt::format("write 1 to sys/class/net/{}/ecn/roce_np/enable/N and roce_rp", netdev);
}

void check_bits(const CheckInput& input, const Subject& it, Findings& findings) {
    const auto& wanted = input.profile.expected.ecn;
    const auto& notification = it.netdev->ecn_notification;
    const auto& reaction = it.netdev->ecn_reaction;
    if (!notification || !reaction) {
        if (wanted) {
            findings.unknown(it.object,
                             "the kernel's own driver does not tell ECN; its counters "
                             "tell it under load");
        } else {
            findings.not_applicable(it.object, "not told by this driver");
        }
        return;
    }
    const std::string seen =
        fmt::format("notification {}, reaction {}", to_text(*notification), to_text(*reaction));
    const PrioritySet lossless =
        it.netdev->dcb && it.netdev->dcb->pfc ? it.netdev->dcb->pfc->enabled : PrioritySet{};
    const bool both = (notification->bits & reaction->bits & lossless.bits) == lossless.bits;
    if (wanted && (*notification != *wanted || *reaction != *wanted)) {
        findings.fail({it.object, seen, to_text(*wanted), rule_of(input.profile, "ecn"),
                       switch_on(it.object)});
    } else if (!wanted && !both) {
        findings.fail({it.object, seen, "both for " + to_text(lossless),
                       "a lossless priority has ECN too", switch_on(it.object)},
                      Severity::Warning);
    } else {
        findings.pass(it.object, seen);
    }
}

// Events of one meaning at a port within an hour; nothing where it does not count them.
std::optional<std::uint64_t> seen_lately(const CheckInput& input, const ScopedPort& port,
                                         std::string_view meaning) {
    constexpr std::uint64_t kHour = 3600;
    std::optional<std::uint64_t> sum;
    for (const FollowedCounter& counter : input.counters) {
        const auto track = input.history.counters.find(counter.key);
        if (counter.object == port.object && counter.row->meaning == meaning &&
            track != input.history.counters.end()) {
            sum = sum.value_or(0) + events_counted(track->second, input.history.uptime_ms, kHour);
        }
    }
    return sum;
}

// Marks that nobody answers: senders never slow down.
void check_answers(const CheckInput& input, const ScopedPort& port, Findings& findings) {
    constexpr std::uint64_t kEnough = 1000;
    const std::uint64_t marked = seen_lately(input, port, "ecn_marked").value_or(0);
    const auto sent = seen_lately(input, port, "cnp_sent");
    if (marked < kEnough || !sent) {
        return;
    }
    if (*sent == 0) {
        findings.fail({port.object,
                       fmt::format("{} packets marked within an hour, no congestion notification "
                                   "sent",
                                   marked),
                       "notifications", "marked packets are answered",
                       "switch on the notification point (ECN) of this port"},
                      Severity::Warning);
    } else {
        findings.pass(port.object, "marked packets are answered");
    }
}

}  // namespace

void check_ecn(const CheckInput& input, Findings& findings) {
    for (const Subject& subject : interface_subjects(input)) {
        check_bits(input, subject, findings);
    }
    for (const ScopedPort& port : input.scope.ports) {
        if (is_roce(port)) {
            check_answers(input, port, findings);
        }
    }
}

}  // namespace ferrule
