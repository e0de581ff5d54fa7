#include "fabric/policy/forecast.h"

#include "fabric/base/text.h"
#include "fabric/model/gid.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace ferrule {

namespace {

std::string name_of(std::string_view hca, unsigned port) {
    return fmt::format("{}:{}", printable(hca), port);
}

bool drives_verbs(const EnvPlan& plan) {
    return plan.fabric == FabricKind::InfiniBand || plan.fabric == FabricKind::Roce;
}

std::string list_of(std::vector<std::string> names) {
    constexpr std::size_t kShown = 4;
    const std::size_t more = names.size() - std::min(names.size(), kShown);
    names.resize(names.size() - more);
    return joined(names, ", ") + (more > 0 ? fmt::format(" and {} more", more) : "");
}

void compare_ports(const EnvPlan& plan, const NcclOutcome& outcome,
                   std::vector<std::string>& found) {
    std::vector<std::string> missing;
    std::vector<std::string> surplus;
    const auto taken = [&](const PortVerdict& verdict) {
        return std::ranges::any_of(outcome.ports, [&](const NcclPort& port) {
            return port.hca == verdict.hca && port.port == verdict.port;
        });
    };
    for (const PortVerdict& verdict : plan.ports) {
        const bool planned = verdict.used && drives_verbs(plan) && plan.mode == FabricMode::Auto;
        if (planned != taken(verdict)) {
            (planned ? missing : surplus).push_back(name_of(verdict.hca, verdict.port));
        }
    }
    if (!missing.empty() && outcome.ports.empty()) {
        found.emplace_back("no port, data goes over TCP");
        return;
    }
    if (!missing.empty()) {
        found.push_back("does not use " + list_of(missing));
    }
    if (!surplus.empty()) {
        found.push_back("uses " + list_of(surplus) + ", which the plan leaves out");
    }
}

std::string row_of(const NcclPort& port) {
    return port.gid ? fmt::format("row {} ({})", port.gid_index.value_or(0),
                                  to_text(port.gid->gid.address()))
                    : fmt::format("row {} (empty)", port.gid_index.value_or(0));
}

void judge_gids(const NcclOutcome& outcome, std::vector<std::string>& found) {
    std::vector<std::string> wrong;
    std::string first;
    for (const NcclPort& port : outcome.ports) {
        if (port.gid_index && (!port.gid || !is_routable(*port.gid))) {
            first = first.empty() ? row_of(port) : first;
            wrong.push_back(name_of(port.hca, port.port));
        }
    }
    if (!wrong.empty()) {
        found.push_back(
            fmt::format("sends from GID {} of {}, which is not routable", first, list_of(wrong)));
    }
}

void compare_interface(const EnvPlan& plan, const NcclOutcome& outcome,
                       std::vector<std::string>& found) {
    const auto planned = std::ranges::find(plan.interfaces, true, &InterfaceVerdict::used);
    if (!outcome.bootstrap) {
        return;
    }
    const NcclInterface& first = *outcome.bootstrap;
    if (planned == plan.interfaces.end()) {
        found.push_back(fmt::format("listens on {} ({}), where the plan knows no interface",
                                    printable(first.name), to_text(first.address)));
    } else if (first.name != planned->name) {
        found.push_back(fmt::format("listens on {} ({}) in place of {}", printable(first.name),
                                    to_text(first.address), printable(planned->name)));
    }
}

std::string as_planned(const NcclOutcome& outcome) {
    std::string text = "as planned: ";
    text += outcome.ports.empty() ? "no InfiniBand or RoCE port"
                                  : fmt::format("{} port{}", outcome.ports.size(),
                                                outcome.ports.size() == 1 ? "" : "s");
    const auto& first = outcome.ports.empty() ? NcclPort{} : outcome.ports.front();
    if (first.gid && first.gid_index) {
        text += fmt::format(", GIDs such as {} (row {})", to_text(first.gid->gid.address()),
                            *first.gid_index);
    }
    const NcclInterface listens = outcome.bootstrap.value_or(NcclInterface{});
    return text +
           fmt::format(", listens on {} ({})", printable(listens.name), to_text(listens.address));
}

}  // namespace

std::vector<std::string> deviations(const EnvPlan& plan, const NcclOutcome& outcome) {
    std::vector<std::string> found;
    if (!outcome.error.empty()) {
        found.push_back("ends the job: " + outcome.error);
        return found;
    }
    compare_ports(plan, outcome, found);
    judge_gids(outcome, found);
    compare_interface(plan, outcome, found);
    return found;
}

std::vector<NcclForecast> forecast_nccl(const NodeSnapshot& snapshot, const EnvPlan& plan,
                                        const Environment& environment,
                                        const std::optional<NcclVersion>& oldest) {
    std::vector<NcclVersion> versions;
    if (oldest) {
        versions.push_back(*oldest);
    }
    std::ranges::copy_if(kTellingVersions, std::back_inserter(versions),
                         [&](const NcclVersion& it) { return !oldest || it > *oldest; });
    std::vector<NcclForecast> forecasts;
    for (const NcclVersion& version : versions) {
        const NcclOutcome outcome = simulate_nccl(snapshot, environment, version);
        const std::vector<std::string> other = deviations(plan, outcome);
        NcclForecast forecast{version, version, other.empty(),
                              other.empty() ? as_planned(outcome) : joined(other, "; ")};
        if (!forecasts.empty() && forecasts.back().text == forecast.text) {
            forecasts.back().last = version;
        } else {
            forecasts.push_back(std::move(forecast));
        }
    }
    return forecasts;
}

}  // namespace ferrule
