// What a reader's process sends back to the one that waits for it: the values of the model as bytes
// between two processes of one program.
#pragma once

#include "fabric/model/snapshot.h"

#include <string>
#include <vector>

namespace ferrule {

// One process reads one of these: an RDMA device with the interfaces of its ports, an interface, or
// the rest of the node.
struct Piece {
    std::vector<Hca> hcas{};
    std::vector<Netdev> netdevs{};
    NodeSnapshot node{};
    std::vector<ReadProblem> problems{};
};

[[nodiscard]] std::string to_bytes(const Piece& piece);
// An exception of the standard library where the bytes are none.
[[nodiscard]] Piece piece_of(const std::string& bytes);

}  // namespace ferrule
