#include "fabric/check/checks.h"
#include "fabric/check/compare.h"

#include <fmt/format.h>

#include <algorithm>

namespace ferrule {

namespace {

bool is_judged(const ScopedPort& port) {
    return is_infiniband(port) && is_active(port) && !port.port->pkeys.empty();
}

std::string table_text(const Port& port) {
    std::vector<std::string> texts;
    texts.reserve(port.pkeys.size());
    for (const PkeyEntry& entry : port.pkeys) {
        texts.push_back(fmt::format("{} at {}", to_text(entry.pkey), entry.index));
    }
    return texts.empty() ? "no P_Key" : fmt::format("{}", fmt::join(texts, ", "));
}

void check_wanted(const CheckInput& input, const ScopedPort& port, Pkey wanted,
                  Findings& findings) {
    const auto& table = port.port->pkeys;
    const auto found = std::ranges::find_if(table, [&](const PkeyEntry& entry) {
        return entry.pkey.partition() == wanted.partition();
    });
    const std::string rule = rule_of(input.profile, "pkey");
    constexpr auto kRemedy = "look at partitions.conf of the subnet manager";
    if (found == table.end()) {
        findings.fail({port.object, table_text(*port.port), to_text(wanted), rule, kRemedy});
    } else if (wanted.full_member() && !found->pkey.full_member()) {
        findings.fail({port.object, to_text(found->pkey) + ", a limited member", "a full member",
                       rule, kRemedy});
    } else if (input.profile.expected.pkey_index.value_or(found->index) != found->index) {
        findings.fail({port.object, fmt::format("row {}", found->index),
                       fmt::format("row {}", input.profile.expected.pkey_index.value_or(0)),
                       rule_of(input.profile, "pkey_index"),
                       "software that takes a fixed row joins another partition; let the SPANK "
                       "plugin give the row"});
    } else {
        findings.pass(port.object, fmt::format("{} in row {}", to_text(found->pkey), found->index));
    }
}

// Without a word of the profile: as most rails, and a full member of any partition, since limited
// ones do not reach each other.
void check_unruled(const CheckInput& input, Findings& findings) {
    std::vector<std::string> tables;
    std::vector<const ScopedPort*> ports;
    for (const ScopedPort& port : input.scope.ports) {
        if (is_judged(port)) {
            tables.push_back(table_text(*port.port));
            ports.push_back(&port);
        }
    }
    const auto most = majority(tables);
    for (std::size_t i = 0; i < ports.size(); ++i) {
        const bool any_full = std::ranges::any_of(
            ports[i]->port->pkeys, [](const PkeyEntry& it) { return it.pkey.full_member(); });
        constexpr auto kRemedy = "look at partitions.conf of the subnet manager";
        if (!any_full) {
            findings.fail({ports[i]->object, tables[i], "a full member of a partition",
                           "limited members do not reach each other", kRemedy});
        } else if (most.value_or(tables[i]) != tables[i]) {
            findings.fail({ports[i]->object, tables[i], most.value_or(tables[i]),
                           std::string{kMostRails}, kRemedy},
                          Severity::Warning);
        } else {
            findings.pass(ports[i]->object, tables[i]);
        }
    }
}

}  // namespace

void check_pkey(const CheckInput& input, Findings& findings) {
    for (const ScopedPort& port : input.scope.ports) {
        if (!is_infiniband(port)) {
            findings.not_applicable(port.object, "not InfiniBand");
        } else if (!is_active(port)) {
            findings.not_applicable(port.object, "the port is not ACTIVE");
        } else if (port.port->pkeys.empty()) {
            findings.unknown(port.object, why_unread(input.snapshot, port_path(port) + "pkeys"));
        } else if (input.profile.pkey) {
            check_wanted(input, port, *input.profile.pkey, findings);
        }
    }
    if (!input.profile.pkey) {
        check_unruled(input, findings);
    }
}

}  // namespace ferrule
