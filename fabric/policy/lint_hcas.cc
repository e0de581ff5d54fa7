#include "fabric/base/text.h"
#include "fabric/nccl/name_list.h"
#include "fabric/policy/lint.h"
#include "fabric/policy/routes.h"

#include <fmt/format.h>

#include <algorithm>

namespace ferrule {

namespace {

bool names_port(const NameList& list, const NameEntry& entry, const PortVerdict& verdict) {
    return matches(list, entry, verdict.hca, static_cast<int>(verdict.port));
}

// The HCAs, beyond the one of that very name, that an entry takes as a prefix.
std::vector<std::string> taken_by_prefix(const EnvPlan& plan, const NameList& list,
                                         const NameEntry& entry) {
    std::vector<std::string> taken;
    for (const PortVerdict& verdict : plan.ports) {
        if (verdict.hca != entry.name && names_port(list, entry, verdict) &&
            std::ranges::count(taken, verdict.hca) == 0) {
            taken.push_back(verdict.hca);
        }
    }
    return taken;
}

std::string about_entry(const LintView& view, const NameList& list, const NameEntry& entry) {
    if (entry.port && *entry.port <= 0) {
        return fmt::format("\"{}\" has no port above 0 behind its colon, so it names nothing",
                           printable(entry.name));
    }
    const bool matched = std::ranges::any_of(view.plan.ports, [&](const PortVerdict& verdict) {
        return names_port(list, entry, verdict);
    });
    if (!matched) {
        const std::string port = entry.port ? ":" + std::to_string(*entry.port) : "";
        return fmt::format("\"{}{}\" matches no HCA port of this node", printable(entry.name),
                           port);
    }
    const bool whole_name = std::ranges::any_of(
        view.plan.ports, [&](const PortVerdict& verdict) { return verdict.hca == entry.name; });
    if (list.exact || !whole_name) {
        return {};
    }
    const auto taken = taken_by_prefix(view.plan, list, entry);
    return taken.empty() ? std::string{}
                         : fmt::format(
                               "\"{}\" is a prefix and {} {} too; begin the list with "
                               "\"{}=\" for whole names",
                               printable(entry.name), list.exclude ? "leaves out" : "takes",
                               joined(taken, ", "), list.exclude ? "^" : "");
}

// The ports the list lets through against those of the plan.
std::vector<std::string> about_outcome(const LintView& view, const NameList& list) {
    std::vector<std::string> sentences;
    std::vector<std::string> missed;
    bool any = false;
    for (const PortVerdict& verdict : view.plan.ports) {
        const bool admitted = admits(list, verdict.hca, static_cast<int>(verdict.port));
        const bool dead = verdict.reason.starts_with("not ACTIVE");
        any = any || (admitted && !dead);
        const std::string name = fmt::format("{}:{}", printable(verdict.hca), verdict.port);
        if (admitted && !verdict.used && !dead) {
            sentences.push_back(
                fmt::format("takes {}, which is no rail: {}", name, printable(verdict.reason)));
        }
        if (!admitted && verdict.used) {
            missed.push_back(name);
        }
    }
    if (!any && std::ranges::any_of(view.plan.ports, &PortVerdict::used) &&
        view.plan.fabric != FabricKind::Efa) {
        return {"lets no ACTIVE port of this node through, so that NCCL takes TCP without a word"};
    }
    if (!missed.empty()) {
        sentences.push_back(
            fmt::format("leaves out {}, which the plan uses", joined(missed, ", ")));
    }
    return sentences;
}

const PortVerdict* find_port(const EnvPlan& plan, std::string_view hca,
                             std::optional<unsigned> port) {
    const auto found = std::ranges::find_if(plan.ports, [&](const PortVerdict& verdict) {
        return verdict.hca == hca && (!port || verdict.port == *port);
    });
    return found == plan.ports.end() ? nullptr : &*found;
}

std::string about_exact(const LintView& view, std::string_view entry, bool ucx) {
    if (entry.starts_with('=') || (entry.starts_with('^') && !ucx)) {
        return fmt::format(R"("{}": this library knows no "{}"; names are whole names)",
                           printable(entry), entry.front());
    }
    const std::size_t colon = entry.find(':');
    const std::string_view hca = entry.substr(0, colon);
    const auto port = colon == std::string_view::npos
                          ? std::nullopt
                          : parse_number<unsigned>(entry.substr(colon + 1));
    const PortVerdict* const verdict = find_port(view.plan, hca, port);
    if (verdict == nullptr) {
        const bool known = entry == "all" || (ucx && find_netdev(view.snapshot, entry) != nullptr);
        return known ? std::string{}
                     : fmt::format("\"{}\" is no {} of this node", printable(entry),
                                   ucx ? "HCA port or interface" : "HCA port");
    }
    if (ucx && colon == std::string_view::npos) {
        return fmt::format("\"{0}\" has no port, which UCX before 1.21 needs; write {0}:{1}",
                           printable(entry), verdict->port);
    }
    return verdict->used
               ? std::string{}
               : fmt::format("\"{}\" is no rail: {}", printable(entry), printable(verdict->reason));
}

}  // namespace

std::vector<std::string> lint_nccl_hcas(const LintView& view, std::string_view value) {
    std::vector<std::string> sentences = lint_nccl_grammar(value);
    const NameList list = parse_name_list(value, NamesOf::Hcas, view.nccl);
    if (list.dropped > 0) {
        sentences.push_back(fmt::format("has {} entries, and NCCL {} drops all beyond the first {}",
                                        list.entries.size() + list.dropped, to_text(view.nccl),
                                        list.entries.size()));
    }
    if (sentences.empty()) {
        for (const NameEntry& entry : list.entries) {
            std::string sentence = about_entry(view, list, entry);
            if (!sentence.empty()) {
                sentences.push_back(std::move(sentence));
            }
        }
    }
    for (std::string& sentence : about_outcome(view, list)) {
        sentences.push_back(std::move(sentence));
    }
    return sentences;
}

std::vector<std::string> lint_exact_hcas(const LintView& view, const LintSubject& subject) {
    const bool ucx = subject.name.starts_with("UCX_");
    std::string_view value = subject.value;
    const bool exclude = value.starts_with('^');
    value.remove_prefix(exclude ? 1 : 0);
    std::vector<std::string> sentences;
    bool any_tcp = exclude;
    for (const std::string_view entry : split(value, ',')) {
        any_tcp = any_tcp || entry == "all" || find_netdev(view.snapshot, entry) != nullptr;
        std::string sentence = about_exact(view, entry, ucx);
        if (!sentence.empty() && !exclude) {
            sentences.push_back(std::move(sentence));
        }
    }
    if (ucx && sentences.empty() && !any_tcp) {
        sentences.emplace_back(
            "names no interface for TCP, which this list takes away too, from a process itself as "
            "well; add one, or lo");
    }
    return sentences;
}

}  // namespace ferrule
