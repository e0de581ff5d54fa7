// Asks this machine's kernel for addresses and routes over a rtnetlink socket.
#pragma once

#include "fabric/base/deadline.h"
#include "fabric/base/result.h"
#include "fabric/model/ip.h"

#include <cstddef>
#include <vector>

namespace ferrule {

// One request, one socket: what is left of an answer that was given up never meets the next one.
class RouteSocket {
  public:
    // All requests together end by `deadline`.
    explicit RouteSocket(Deadline deadline) : deadline_{deadline} {}

    // The bytes of a whole dump; `type` is RTM_GETADDR or RTM_GETROUTE. At most 4 MiB.
    [[nodiscard]] Result<std::vector<std::byte>> dump(unsigned short type) const;

    // The kernel's route decision for one destination; ENETUNREACH where it has none.
    [[nodiscard]] Result<std::vector<std::byte>> route_to(const IpAddress& destination) const;

  private:
    Deadline deadline_;
};

}  // namespace ferrule
