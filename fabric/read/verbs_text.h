// What verbs says of an RDMA device, as text: how a captured tree keeps it. Pure.
//
//     open_error 0
//     port 1 active_mtu 4096 max_mtu 4096
#pragma once

#include "fabric/base/result.h"
#include "fabric/model/hca.h"
#include "fabric/model/snapshot.h"
#include "fabric/read/dir.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ferrule {

// Bytes; absent for a port that has none, as mlx5's has none without a netdev.
struct VerbsPort {
    unsigned number{1};
    std::optional<unsigned> active_mtu{};
    std::optional<unsigned> max_mtu{};

    bool operator==(const VerbsPort&) const = default;
};

struct VerbsAnswer {
    // errno; 0 when the device opened.
    int open_error{0};
    // Those that answered.
    std::vector<VerbsPort> ports{};

    bool operator==(const VerbsAnswer&) const = default;
};

// An MTU that is absent is 0 in the text.
[[nodiscard]] std::string to_text(const VerbsAnswer& answer);
// Fails on a line that is none of these.
[[nodiscard]] Result<VerbsAnswer> parse_verbs(std::string_view text);

// Into the device's own members.
void take_verbs(const VerbsAnswer& answer, Hca& hca);

// The same from ferrule/verbs/<name> of a captured tree, where it is there.
void read_captured_verbs(const Dir& root, Hca& hca, std::vector<ReadProblem>& problems);

}  // namespace ferrule
