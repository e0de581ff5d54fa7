#include "fabric/policy/rails.h"

#include "fabric/base/text.h"
#include "fabric/policy/rail_rules.h"

#include <fmt/format.h>

#include <algorithm>

namespace ferrule {

namespace {

bool pci_order(const Candidate& left, const Candidate& right) {
    // Devices without PCI come last, as in NCCL.
    const auto& a = left.hca().pci.address;
    const auto& b = right.hca().pci.address;
    if (a.has_value() != b.has_value()) {
        return a.has_value();
    }
    if (a != b) {
        return a < b;
    }
    if (left.hca().name != right.hca().name) {
        return natural_less(left.hca().name, right.hca().name);
    }
    return left.port().number < right.port().number;
}

Candidates all_ports(const NodeSnapshot& snapshot) {
    Candidates candidates;
    for (const Hca& hca : snapshot.hcas) {
        for (const Port& port : hca.ports) {
            candidates.push_back({{&hca, &port}, {}});
        }
    }
    std::ranges::sort(candidates, pci_order);
    return candidates;
}

std::string why_used(const Candidate& it, const Site& site) {
    const auto& known = it.port().rate;
    const std::string rate = known ? gbps_text(known->tenth_gbps) + " Gb/s" : "";
    const std::string kind = fmt::format("{} {}", to_text(fabric_of(it.hca(), it.port())), rate);
    if (!site.profile.rails.empty()) {
        return fmt::format("rail of profile {}, {}", site.profile.name, kind);
    }
    return beside_gpu(it.hca(), site.snapshot) ? kind + ", shares a PCIe switch with a GPU" : kind;
}

bool only_foreign_ports(const Candidates& candidates, const RailChoice& choice, const Site& site) {
    const auto active_verbs = [](const Candidate& it) {
        return it.port().state == PortState::Active &&
               fabric_of(it.hca(), it.port()) != FabricKind::Efa;
    };
    if (choice.kind == FabricKind::Efa) {
        return std::ranges::any_of(candidates, active_verbs);
    }
    return choice.rails.empty() && std::ranges::any_of(candidates, active_verbs) &&
           std::ranges::all_of(candidates, [&](const Candidate& it) {
               return !active_verbs(it) || is_foreign(it, site);
           });
}

RailChoice to_choice(const Candidates& candidates, const Site& site) {
    RailChoice choice{};
    for (const Candidate& it : candidates) {
        choice.verdicts.push_back({it.hca().name, it.port().number, it.port().netdev,
                                   it.hca().pci.address, it.open(),
                                   it.open() ? why_used(it, site) : it.why_not});
        if (it.open()) {
            choice.kind = fabric_of(it.hca(), it.port());
            choice.rails.push_back(it.rail);
        }
    }
    return choice;
}

}  // namespace

std::optional<unsigned> known_rate(const Rail& rail) {
    const auto& rate = rail.port->rate;
    const bool misprint = rate && rate->generation == "SDR" &&
                          fabric_of(*rail.hca, *rail.port) == FabricKind::InfiniBand;
    return rate && !misprint ? std::optional{rate->tenth_gbps} : std::nullopt;
}

RailChoice choose_rails(const NodeSnapshot& snapshot, const NodeProfile& profile) {
    const Site site{snapshot, profile};
    Candidates candidates = all_ports(snapshot);
    for (Candidate& it : candidates) {
        it.why_not = why_no_rail(it, site);
    }
    if (profile.rails.empty()) {
        compare_candidates(candidates, site);
    } else {
        // A profile may name rails of unlike speeds, but of one fabric.
        drop_other_fabrics(candidates, site);
    }
    drop_other_gid_families(candidates, site);
    RailChoice choice = to_choice(candidates, site);
    choice.only_foreign_ports = only_foreign_ports(candidates, choice, site);
    for (const RailSelector& selector : profile.rails) {
        const bool here = std::ranges::any_of(candidates, [&](const Candidate& it) {
            return selects(selector, it.hca(), it.port());
        });
        if (!here) {
            choice.missing.push_back(selector.text);
        }
    }
    return choice;
}

void keep_rails(RailChoice& choice, const std::function<bool(const Rail&)>& keep,
                const KeepReasons& reasons) {
    for (const Rail& rail : choice.rails) {
        const auto verdict = std::ranges::find_if(choice.verdicts, [&](const PortVerdict& it) {
            return it.hca == rail.hca->name && it.port == rail.port->number;
        });
        verdict->used = keep(rail);
        verdict->reason += "; " + (verdict->used ? reasons.kept : reasons.dropped);
    }
    std::erase_if(choice.rails, [&](const Rail& rail) { return !keep(rail); });
}

}  // namespace ferrule
