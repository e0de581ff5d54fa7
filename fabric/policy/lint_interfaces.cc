#include "fabric/base/text.h"
#include "fabric/nccl/interfaces.h"
#include "fabric/nccl/name_list.h"
#include "fabric/policy/lint.h"
#include "fabric/policy/routes.h"

#include <fmt/format.h>

#include <algorithm>

namespace ferrule {

namespace {

std::string planned_interface(const EnvPlan& plan) {
    const auto used = std::ranges::find(plan.interfaces, true, &InterfaceVerdict::used);
    return used == plan.interfaces.end() ? std::string{} : used->name;
}

std::string about_address(std::string_view entry) {
    return parse_ip(entry)
               ? fmt::format("\"{}\" is an address, where a name belongs", printable(entry))
               : std::string{};
}

std::string about_prefix(const LintView& view, const NameList& list, const NameEntry& entry) {
    std::string address = about_address(entry.name);
    if (!address.empty()) {
        return address;
    }
    std::vector<std::string> taken;
    for (const Netdev& netdev : view.snapshot.netdevs) {
        if (matches(list, entry, netdev.name, std::nullopt)) {
            taken.push_back(netdev.name);
        }
    }
    if (taken.empty()) {
        return list.exclude
                   ? std::string{}
                   : fmt::format("\"{}\" is no interface of this node", printable(entry.name));
    }
    const bool whole_name = std::ranges::count(taken, entry.name) > 0;
    return whole_name && taken.size() > 1 && !list.exact && !list.exclude
               ? fmt::format(
                     "\"{}\" is a prefix and takes {}; begin the list with \"=\" for whole "
                     "names",
                     printable(entry.name), joined(taken, ", "))
               : std::string{};
}

// Which interface NCCL would really listen on.
std::string about_outcome(const LintView& view, std::string_view value) {
    const Environment alone{{"NCCL_SOCKET_IFNAME", std::string{value}}};
    const auto found = nccl_interfaces(view.snapshot, alone, view.nccl);
    if (found.empty()) {
        return "lets no interface with an address through, which ends the job";
    }
    const std::string planned = planned_interface(view.plan);
    const NcclInterface& first = found.front();
    return planned.empty() || first.name == planned
               ? std::string{}
               : fmt::format("the first match is {} ({}); the way to the job's other nodes is {}",
                             first.name, to_text(first.address), planned);
}

std::string about_exact(const LintView& view, std::string_view entry) {
    if (entry.starts_with('=') || entry.starts_with('^')) {
        return fmt::format(R"("{}": this library knows no "{}"; names are whole names)",
                           printable(entry), entry.front());
    }
    const std::string address = about_address(entry);
    if (!address.empty()) {
        return address + "; take a name, or leave the variable unset";
    }
    const Netdev* const netdev = find_netdev(view.snapshot, entry);
    if (netdev == nullptr) {
        return fmt::format("\"{}\" is no interface of this node", printable(entry));
    }
    return netdev->addresses.empty() ? fmt::format("\"{}\" has no address", printable(entry))
                                     : std::string{};
}

}  // namespace

std::vector<std::string> lint_nccl_interfaces(const LintView& view, const LintSubject& subject) {
    const std::string_view value = subject.value;
    // As short a value counts as unset.
    if (value.size() <= 1) {
        return {fmt::format("\"{}\" is too short and counts as unset", printable(value))};
    }
    std::vector<std::string> sentences = lint_nccl_grammar(value);
    const NameList list = parse_name_list(value, NamesOf::Interfaces, view.nccl);
    if (sentences.empty()) {
        for (const NameEntry& entry : list.entries) {
            std::string sentence = about_prefix(view, list, entry);
            if (!sentence.empty()) {
                sentences.push_back(std::move(sentence));
            }
        }
    }
    std::string outcome = about_outcome(view, value);
    if (!outcome.empty()) {
        sentences.push_back(std::move(outcome));
    }
    return sentences;
}

std::vector<std::string> lint_exact_interfaces(const LintView& view, std::string_view value) {
    std::vector<std::string> sentences;
    for (const std::string_view entry : split(value, ',')) {
        std::string sentence = about_exact(view, entry);
        if (!sentence.empty()) {
            sentences.push_back(std::move(sentence));
        }
    }
    return sentences;
}

}  // namespace ferrule
