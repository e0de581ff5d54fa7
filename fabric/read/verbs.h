// An RDMA device as libibverbs opens it, which is what every library of a job does first. A library
// of its own, so that only who asks links libibverbs.
// Source: ibv_open_device(3) and ibv_query_port(3) of rdma-core 44.
#pragma once

#include "fabric/model/hca.h"

namespace ferrule {

// Fills `open_error` and the MTUs of the ports that `hca` has already. Always of the live node:
// verbs finds devices itself, and knows no other root. ENODEV where it finds none of that name: the
// device has no character device, or no provider is installed. Everything that was opened is closed
// again. A device that hangs holds its caller here.
void ask_verbs(Hca& hca);

}  // namespace ferrule
