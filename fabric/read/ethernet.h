// How an Ethernet port is set up and doing: statistics, link, pause, error correction, DCB, and
// what its switch says. From the kernel, or from files of a captured tree that hold what it said.
#pragma once

#include "fabric/model/snapshot.h"
#include "fabric/read/node.h"

#include <string>
#include <string_view>
#include <vector>

namespace ferrule {

// Where a captured tree keeps these. All but the statistics are bytes as in netlink_file.h.
//   ferrule/ethtool/<netdev>/statistics   text as in ethtool_statistics.h
//   ferrule/ethtool/<netdev>/<question>   the answer to a question of ethtool_netlink.h
//   ferrule/dcb/<netdev>                  the answer to dcb.h's
//   ferrule/lldp/<netdev>                 one frame for lldp.h
[[nodiscard]] std::string ethtool_file(std::string_view netdev, std::string_view piece);
[[nodiscard]] std::string dcb_file(std::string_view netdev);
[[nodiscard]] std::string lldp_file(std::string_view netdev);

inline constexpr std::string_view kStatisticsPiece = "statistics";

// Fills `dcb`, `ethernet` and, from a captured tree, `lldp` of a netdev, of which the name is read.
// A live node is not listened to for LLDP, since that may take half a minute: see lldp_socket.h.
//
// A file that is absent and what the driver or the kernel does not have are facts: that piece stays
// absent. Anything else is a problem, and reading goes on. Live, every question ends within a
// second, except where a driver hangs while it is asked; statistics come first, since that makes
// mlx5 refresh what DCB then tells.
void read_ethernet(const Dir& root, Source source, Netdev& netdev,
                   std::vector<ReadProblem>& problems);

}  // namespace ferrule
