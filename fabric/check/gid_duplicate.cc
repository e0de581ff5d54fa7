#include "fabric/check/check_words.h"
#include "fabric/check/checks.h"

#include <algorithm>
#include <map>

namespace ferrule {

void check_gid_duplicate(const CheckInput& input, Findings& findings) {
    // The port that has it, and its interface; a VXLAN on top repeats the address at one port.
    std::map<std::string, std::string> owners;
    for (const ScopedPort& port : input.scope.ports) {
        for (const GidEntry& entry : port.port->gids) {
            if (!is_roce(port) || !is_routable(entry)) {
                continue;
            }
            const std::string address = to_text(entry.gid.address());
            const auto [owner, first] = owners.try_emplace(address, port.object);
            const bool said = !first && owner->second != port.object;
            if (said) {
                findings.fail({port.object, address + ", as " + owner->second,
                               "an address of its own", "an address names one rail",
                               "give one of the two interfaces another address"});
                owner->second = port.object;
            }
        }
    }
    if (findings.empty()) {
        findings.pass("node", "every rail has addresses of its own");
    }
}

}  // namespace ferrule
