#include "fabric/base/text.h"
#include "fabric/nccl/gid_rule.h"
#include "fabric/policy/lint.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

namespace ferrule {

namespace {

// The complaint about the first rail that has one.
std::vector<std::string> first_rail(const LintView& view,
                                    const std::function<std::string(const Port&)>& about) {
    for (const PortVerdict& verdict : view.plan.ports) {
        const auto hca = std::ranges::find(view.snapshot.hcas, verdict.hca, &Hca::name);
        if (!verdict.used || hca == view.snapshot.hcas.end()) {
            continue;
        }
        const auto port = std::ranges::find(hca->ports, verdict.port, &Port::number);
        std::string sentence = port == hca->ports.end() ? std::string{} : about(*port);
        if (!sentence.empty()) {
            return {fmt::format("{} of {} port {}", sentence, printable(hca->name), verdict.port)};
        }
    }
    return {};
}

}  // namespace

std::vector<std::string> lint_gid_index(const LintView& view, std::string_view value) {
    const auto index = parse_number<unsigned>(value);
    if (!index || view.plan.fabric != FabricKind::Roce) {
        return {};
    }
    return first_rail(view, [&](const Port& port) -> std::string {
        const auto entry = std::ranges::find(port.gids, *index, &GidEntry::index);
        if (entry == port.gids.end()) {
            return fmt::format("pins row {}, which {} in the GID table", *index,
                               port.gid_table_size > *index ? "is empty" : "is none");
        }
        if (!is_routable(*entry)) {
            return fmt::format(
                "pins row {}, which no other subnet is reached from: {} in the GID "
                "table",
                *index, to_text(entry->gid.address()));
        }
        return entry->type == GidType::RoceV1
                   ? fmt::format(
                         "pins row {}, which is RoCE v1 and crosses no router, in the GID "
                         "table",
                         *index)
                   : std::string{};
    });
}

std::vector<std::string> lint_gid_outcome(const LintView& view) {
    if (view.plan.fabric != FabricKind::Roce || view.nccl < kFirstNcclWithGidRule) {
        return {};
    }
    return first_rail(view, [&](const Port& port) -> std::string {
        const unsigned index = nccl_gid(port, view.environment, view.nccl).index;
        const auto entry = std::ranges::find(port.gids, index, &GidEntry::index);
        if (entry != port.gids.end() && is_routable(*entry)) {
            return {};
        }
        return fmt::format("leads NCCL to row {}, which {}, in the GID table", index,
                           entry == port.gids.end()
                               ? "is empty"
                               : "is " + to_text(entry->gid.address()) + " and not routable");
    });
}

std::vector<std::string> lint_pkey_index(const LintView& view, std::string_view value) {
    const auto index = parse_c_number<unsigned>(value);
    if (!index) {
        return {};
    }
    return first_rail(view, [&](const Port& port) -> std::string {
        const bool known =
            std::ranges::find(port.pkeys, *index, &PkeyEntry::index) != port.pkeys.end();
        return port.pkeys.empty() || known
                   ? std::string{}
                   : fmt::format(
                         "is an index and not the P_Key itself; row {} is empty in the "
                         "table",
                         *index);
    });
}

}  // namespace ferrule
