#include "fabric/read/dcb_socket.h"

#include "fabric/read/dcb.h"
#include "fabric/read/netlink_socket.h"

#include <linux/netlink.h>

namespace ferrule {

Result<std::vector<std::byte>> ask_dcb(const std::string& netdev, Deadline deadline) {
    const auto request = encode_dcb_request(netdev);
    return ask_netlink({NETLINK_ROUTE, request, NetlinkUntil::FirstDatagram}, deadline);
}

}  // namespace ferrule
