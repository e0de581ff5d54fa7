// The rules behind choose_rails, each a function over candidates. Pure.
#pragma once

#include "fabric/policy/rails.h"

#include <string>
#include <vector>

namespace ferrule {

// A port that may become a rail.
struct Candidate {
    Rail rail{};
    // Why it is none; empty while it still may be one.
    std::string why_not{};

    [[nodiscard]] bool open() const { return why_not.empty(); }

    [[nodiscard]] const Hca& hca() const { return *rail.hca; }

    [[nodiscard]] const Port& port() const { return *rail.port; }
};

using Candidates = std::vector<Candidate>;

// What a rule may look at besides the port.
struct Site {
    const NodeSnapshot& snapshot;
    const NodeProfile& profile;
};

[[nodiscard]] FabricKind fabric_of(const Hca& hca, const Port& port);

[[nodiscard]] bool selects(const RailSelector& selector, const Hca& hca, const Port& port);

// A GPU sits behind the same PCIe switch.
[[nodiscard]] bool beside_gpu(const Hca& hca, const NodeSnapshot& snapshot);

// Rules for one port alone (port_rules.cc), in order. Answers why it is no rail; empty if it may
// be.
[[nodiscard]] std::string why_no_rail(const Candidate& candidate, const Site& site);

// What the port is proves that it belongs to another network: its protocol, or the NVSwitches'
// card.
[[nodiscard]] bool is_foreign(const Candidate& candidate, const Site& site);

// Rules that compare ports (group_rules.cc). Each closes candidates, and never the last one.
void compare_candidates(Candidates& candidates, const Site& site);
// Those that hold for a profile's rails too: one process drives one fabric, with one family of
// GIDs.
void drop_other_fabrics(Candidates& candidates, const Site& site);
void drop_other_gid_families(Candidates& candidates, const Site& site);

}  // namespace ferrule
