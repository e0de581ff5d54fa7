#include "fabric/base/text.h"
#include "fabric/check/checks.h"
#include "fabric/check/gid_words.h"

#include <fmt/format.h>

namespace ferrule {

namespace {

// The row in which an earlier run saw the same GID of the same type.
std::optional<unsigned> earlier_row(const Facts& facts, const ScopedPort& port,
                                    const std::string& row) {
    const std::string prefix = port.object + " gid ";
    for (auto it = facts.lower_bound(prefix); it != facts.end() && it->first.starts_with(prefix);
         ++it) {
        if (it->second == row) {
            return parse_number<unsigned>(std::string_view{it->first}.substr(prefix.size()));
        }
    }
    return std::nullopt;
}

std::optional<unsigned> earlier_row(const CheckInput& input, const ScopedPort& port,
                                    const GidEntry& entry) {
    const auto fact = input.facts.find(fmt::format("{} gid {}", port.object, entry.index));
    return fact == input.facts.end() ? std::nullopt
                                     : earlier_row(input.history.last.facts, port, fact->second);
}

// Not only the row that is taken now: an address that came later may have the place of the right
// one.
const GidEntry* moved_entry(const CheckInput& input, const ScopedPort& port) {
    for (const GidWish& wish : rail_wishes(input.profile, port)) {
        for (const GidEntry& entry : port.port->gids) {
            if (fits(entry, wish) &&
                earlier_row(input, port, entry).value_or(entry.index) != entry.index) {
                return &entry;
            }
        }
    }
    return nullptr;
}

}  // namespace

void check_gid_moved(const CheckInput& input, Findings& findings) {
    for (const ScopedPort& port : input.scope.ports) {
        const GidEntry* const entry = needs_gid(port) ? usable_gid(input.profile, port) : nullptr;
        if (entry == nullptr) {
            continue;
        }
        const GidEntry* const moved = moved_entry(input, port);
        if (moved == nullptr) {
            findings.pass(port.object, fmt::format("row {}", entry->index));
            continue;
        }
        findings.fail({port.object,
                       fmt::format("{} is in row {}", to_text(moved->gid.address()), moved->index),
                       fmt::format("row {}, as in the run before",
                                   earlier_row(input, port, *moved).value_or(moved->index)),
                       "rows stay where they are",
                       "jobs that pin a row (NCCL_IB_GID_INDEX) now take another one; the SPANK "
                       "plugin follows by itself"});
    }
    if (findings.empty()) {
        findings.not_applicable("node", "no rail is addressed by a GID of its own");
    }
}

}  // namespace ferrule
