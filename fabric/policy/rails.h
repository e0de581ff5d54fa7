// Which HCA ports are rails of the compute fabric, and why each other port is not. Pure.
#pragma once

#include "fabric/model/plan.h"
#include "fabric/model/profile.h"
#include "fabric/model/snapshot.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace ferrule {

// A rail points into the snapshot it was chosen from.
struct Rail {
    const Hca* hca{nullptr};
    const Port* port{nullptr};
};

// Tenths of Gb/s. Kernels that do not know a speed print 10 Gb/s for it, and no ACTIVE InfiniBand
// port of this age runs at that: not known either.
[[nodiscard]] std::optional<unsigned> known_rate(const Rail& rail);

struct RailChoice {
    FabricKind kind{FabricKind::None};
    // In PCI order, which is the order NCCL numbers them in.
    std::vector<Rail> rails{};
    // Every port of every HCA, in PCI order.
    std::vector<PortVerdict> verdicts{};
    // Rails that the profile names and this node does not have.
    std::vector<std::string> missing{};
    // An ACTIVE port that verbs could drive is here, and each such port is proved to belong to
    // another network than the job's, since there is no rail, or the rails are EFA.
    bool only_foreign_ports{false};
};

// The rules, in order; the first that speaks decides:
//  1. the port is not ACTIVE, or nothing says that it is;
//  2. its verbs device cannot be opened;
//  3. it is iWARP, or it is of a fabric other than the profile's link layer;
//  4. it is a virtual or sub-function whose physical function is here too, and not in the profile;
//  5. it is a function of the card that manages the NVSwitches, and not in the profile;
//  6. the profile names rails and this is none, or names a P_Key that the port does not have;
//  7. it is InfiniBand without a LID, or RoCE without a routable GID;
// and without rails in the profile:
//  8. other ports share a PCIe switch with a GPU and this one does not: storage or management;
//  9. it is RoCE away from GPUs, carries the default route, and others are faster: management;
// 10. its fabric, then its speed, is not the one with the most bandwidth in all; a slower port of a
//     card like the others' beside a GPU stays, since it is a rail with a fault;
// 11. its first P_Key is a limited member's, and others' are not;
// and always:
// 12. one process drives one fabric, and one family of GIDs: that of most ports.
// `snapshot` must outlive the result.
[[nodiscard]] RailChoice choose_rails(const NodeSnapshot& snapshot, const NodeProfile& profile);

struct KeepReasons {
    std::string kept{};
    std::string dropped{};
};

// Narrows a choice to the rails that `keep` is true for; each rail's verdict gets the reason.
void keep_rails(RailChoice& choice, const std::function<bool(const Rail&)>& keep,
                const KeepReasons& reasons);

}  // namespace ferrule
