#include "fabric/read/ethtool_socket.h"

#include "fabric/read/netlink_socket.h"

#include <linux/netlink.h>

namespace ferrule {

Result<std::uint16_t> ask_ethtool_family(Deadline deadline) {
    const auto request = encode_ethtool_family_request();
    const auto answer =
        TRY(ask_netlink({NETLINK_GENERIC, request, NetlinkUntil::FirstDatagram}, deadline));
    auto family = decode_ethtool_family(answer);
    if (!family && family.error().code == std::errc::no_such_file_or_directory) {
        return fail(std::errc::operation_not_supported, "ethtool: not in this kernel's netlink");
    }
    return family;
}

Result<std::vector<std::byte>> ask_ethtool(const EthtoolRequest& request, Deadline deadline) {
    const auto bytes = encode_ethtool_request(request);
    return ask_netlink({NETLINK_GENERIC, bytes, NetlinkUntil::FirstDatagram}, deadline);
}

}  // namespace ferrule
