// The keys of [profile NAME] in ferrule.conf that say what must be true of a node, one table. Pure.
#pragma once

#include "fabric/model/expectation.h"

#include <span>
#include <string_view>

namespace ferrule {

struct ExpectationKey {
    std::string_view name;
    // Takes one value; false when it is none.
    bool (*set)(Expectation&, std::string_view);
    // What a value looks like, for messages.
    std::string_view wanted;
    // Of a list key, which may go on on indented lines: empties what was inherited.
    void (*forget)(Expectation&){nullptr};
};

[[nodiscard]] std::span<const ExpectationKey> expectation_keys();

// Ports, separated by commas and appended to `selectors`: PCI addresses, HCAs or netdevs, each with
// :PORT or without. False when one of them is none of these, or there is none.
[[nodiscard]] bool append_selectors(std::vector<RailSelector>& selectors, std::string_view value);

}  // namespace ferrule
