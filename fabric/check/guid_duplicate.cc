#include "fabric/check/checks.h"

#include <algorithm>
#include <map>
#include <string>
#include <vector>

namespace ferrule {

void check_guid_duplicate(const CheckInput& input, Findings& findings) {
    std::map<std::string, std::vector<const Hca*>> by_guid;
    for (const Hca& hca : input.snapshot.hcas) {
        // A virtual function has none until its host gives it one. Without a subnet manager nobody
        // minds: drivers of Ethernet make it from a MAC address, which members of a bond share.
        const bool managed = std::ranges::any_of(
            hca.ports, [](const Port& port) { return port.link_layer == LinkLayer::InfiniBand; });
        if (managed && hca.node_guid != Guid{}) {
            by_guid[to_text(hca.node_guid)].push_back(&hca);
        }
    }
    for (const auto& [guid, hcas] : by_guid) {
        for (std::size_t i = 1; i < hcas.size(); ++i) {
            findings.fail({hcas[i]->name, "node GUID " + guid + ", as " + hcas.front()->name,
                           "a GUID of its own", "a GUID names one device",
                           "set another GUID for the virtual function, or reset the card's"});
        }
    }
    if (findings.empty()) {
        findings.pass("node", "every InfiniBand device has a node GUID of its own");
    }
}

}  // namespace ferrule
