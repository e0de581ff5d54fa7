// Sends ICMP echo requests that may not be cut up, to see whether the way to a peer takes the whole
// MTU: what `ping -M do -s` does, for all rails at once. Needs CAP_NET_RAW.
// Source: RFC 792 and RFC 4443 (echo), RFC 8899 (probing); ip(7), IP_MTU_DISCOVER.
#pragma once

#include "fabric/base/deadline.h"
#include "fabric/model/snapshot.h"

#include <vector>

namespace ferrule {

// Which packets to send: `netdev`, `peer` and `size` of each are filled in. The rest of each is
// filled here: a small packet goes first, so that a peer that answers nothing is not taken for a
// small MTU. Everything ends by the deadline.
void send_mtu_probes(std::vector<MtuProbe>& probes, const Deadline& deadline);

}  // namespace ferrule
