// A profile learnt from healthy nodes: the majority wins, deviants are named, and what looks like a
// fault is questioned and not frozen. Pure.
#pragma once

#include "fabric/model/snapshot.h"

#include <string>
#include <vector>

namespace ferrule {

// A [profile learnt] for ferrule.conf, each key with a comment on what it was learnt from. Without
// a rail anywhere it says so in a comment and has no key but the nodes.
[[nodiscard]] std::string learn_profile(const std::vector<NodeSnapshot>& nodes);

}  // namespace ferrule
