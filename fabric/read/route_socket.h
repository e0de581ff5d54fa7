// Asks this machine's kernel for addresses and routes over a rtnetlink socket.
#pragma once

#include "fabric/base/deadline.h"
#include "fabric/base/fd.h"
#include "fabric/base/result.h"
#include "fabric/model/ip.h"

#include <cstddef>
#include <vector>

namespace ferrule {

class RouteSocket {
  public:
    // All requests together end by `deadline`.
    [[nodiscard]] static Result<RouteSocket> open(Deadline deadline);

    // The bytes of a whole dump; `type` is RTM_GETADDR or RTM_GETROUTE. At most 4 MiB.
    [[nodiscard]] Result<std::vector<std::byte>> dump(unsigned short type);

    // The kernel's route decision for one destination; ENETUNREACH where it has none.
    [[nodiscard]] Result<std::vector<std::byte>> route_to(const IpAddress& destination);

  private:
    enum class Until { Done, FirstMessage };

    RouteSocket(Fd fd, Deadline deadline) : fd_{std::move(fd)}, deadline_{deadline} {}

    [[nodiscard]] Result<std::vector<std::byte>> exchange(const std::vector<std::byte>& request,
                                                          Until until);
    [[nodiscard]] Result<std::size_t> receive(std::vector<std::byte>& into);

    Fd fd_;
    Deadline deadline_;
};

}  // namespace ferrule
