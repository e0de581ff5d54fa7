#include "fabric/check/checks.h"
#include "fabric/check/gid_words.h"

#include <fmt/format.h>

#include <algorithm>

namespace ferrule {

namespace {

std::string wanted_text(const NodeProfile& profile, const ScopedPort& port) {
    std::vector<std::string> texts;
    const auto wishes = rail_wishes(profile, port);
    texts.reserve(wishes.size());
    for (const GidWish& wish : wishes) {
        const std::string_view family = wish.family == IpFamily::V4 ? "IPv4" : "IPv6";
        texts.push_back(fmt::format("{} {}{}", to_text(wish.type), family,
                                    wish.subnet ? " in " + to_text(*wish.subnet) : ""));
    }
    return texts.empty() ? "a GID of the rail's subnet"
                         : fmt::format("{}", fmt::join(texts, " or "));
}

std::string rule(const NodeProfile& profile) {
    for (const std::string_view key :
         {"rail_subnets", "gid_subnet", "gid_family", "roce_version"}) {
        if (profile.lines.contains(std::string{key})) {
            return rule_of(profile, key);
        }
    }
    return "a rail has an address that packets can be routed from";
}

// The row that comes closest to a wish: of its type, before any that can be routed.
const GidEntry* closest_row(const NodeProfile& profile, const ScopedPort& port) {
    const auto wishes = rail_wishes(profile, port);
    const GidEntry* closest = nullptr;
    for (const GidEntry& entry : port.port->gids) {
        const bool of_type = std::ranges::any_of(
            wishes, [&](const GidWish& wish) { return entry.type == wish.type; });
        if (is_routable(entry) && (closest == nullptr || of_type)) {
            closest = &entry;
            if (of_type) {
                break;
            }
        }
    }
    return closest;
}

std::string seen_text(const NodeProfile& profile, const ScopedPort& port) {
    if (port.port->gids.empty()) {
        return "no GID";
    }
    const GidEntry* const routable = closest_row(profile, port);
    if (routable == nullptr) {
        return "only link-local GIDs";
    }
    const std::string type =
        routable->type ? std::string{to_text(*routable->type)} : "of unknown type";
    return fmt::format("row {} is {} {}", routable->index, to_text(routable->gid.address()), type);
}

// What is not read of a table could be the row that is looked for.
bool partly_unread(const NodeSnapshot& snapshot, const ScopedPort& port) {
    const std::string path = port_path(port);
    return std::ranges::any_of(snapshot.problems, [&](const ReadProblem& problem) {
        return problem.where.starts_with(path + "gids") ||
               problem.where.starts_with(path + "gid_attrs");
    });
}

void check_port(const CheckInput& input, const ScopedPort& port, Findings& findings) {
    const GidEntry* const entry = usable_gid(input.profile, port);
    if (entry == nullptr && partly_unread(input.snapshot, port)) {
        findings.unknown(port.object, why_unread(input.snapshot, port_path(port) + "gid"));
        return;
    }
    // The rows of an interface that was given to a container are empty on the host.
    if (entry == nullptr && port.netdev == nullptr && is_active(port)) {
        findings.unknown(port.object, "its interface is not in this network namespace");
        return;
    }
    if (entry == nullptr) {
        findings.fail({port.object, seen_text(input.profile, port),
                       wanted_text(input.profile, port), rule(input.profile),
                       "give the interface its address; look at rdma_cm's default version and the "
                       "profile's subnet"});
        return;
    }
    const std::string seen =
        fmt::format("row {} is {}", entry->index, to_text(entry->gid.address()));
    const auto index = input.profile.expected.gid_index;
    if (index && *index != entry->index) {
        findings.fail({port.object, seen, fmt::format("row {}", *index),
                       rule_of(input.profile, "gid_index"),
                       "take superfluous addresses away and bring the interface down and up, or "
                       "let the SPANK plugin choose the row"});
        return;
    }
    findings.pass(port.object, seen);
}

}  // namespace

void check_gid(const CheckInput& input, Findings& findings) {
    for (const ScopedPort& port : input.scope.ports) {
        if (!needs_gid(port)) {
            findings.not_applicable(port.object, "not RoCE");
        } else if (!is_active(port)) {
            findings.not_applicable(port.object, "the port is not ACTIVE");
        } else {
            check_port(input, port, findings);
        }
    }
}

}  // namespace ferrule
