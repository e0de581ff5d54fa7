// One question to this machine's kernel over netlink, and its answer: the only code that opens such
// a socket.
#pragma once

#include "fabric/base/deadline.h"
#include "fabric/base/result.h"

#include <cstddef>
#include <span>
#include <vector>

namespace ferrule {

// Where an answer ends: a dump with NLMSG_DONE, another one with the first datagram.
enum class NetlinkUntil { Done, FirstDatagram };

struct NetlinkQuestion {
    // NETLINK_ROUTE, NETLINK_GENERIC, ...
    int protocol{0};
    std::span<const std::byte> request{};
    NetlinkUntil until{NetlinkUntil::FirstDatagram};
};

// The bytes of all datagrams of the answer, at most 4 MiB; a refusal of the kernel's is among them,
// for the decoder. One socket a question: what is left of an answer that was given up never meets
// the next one.
//
// The kernel works while the question is sent, and a driver that hangs there cannot be left: the
// deadline bounds the wait for the answer.
[[nodiscard]] Result<std::vector<std::byte>> ask_netlink(const NetlinkQuestion& question,
                                                         Deadline deadline);

}  // namespace ferrule
