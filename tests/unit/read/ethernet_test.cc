#include "fabric/read/ethernet.h"

#include "fabric/read/netlink_file.h"
#include "tests/support/catch.h"
#include "tests/support/machine.h"
#include "tests/support/netlink.h"

#include <cerrno>

#include <linux/dcbnl.h>
#include <linux/ethtool_netlink.h>
#include <linux/genetlink.h>
#include <linux/rtnetlink.h>

using namespace ferrule;
using namespace ferrule::testing;

namespace {

struct Outcome {
    Netdev netdev{};
    std::vector<ReadProblem> problems{};
};

Outcome read_from(const TemporaryDirectory& tree) {
    Outcome outcome{};
    outcome.netdev.name = "eth2";
    const Dir root = Dir::open(tree.path()).value();
    read_ethernet(root, Source::Captured, outcome.netdev, outcome.problems);
    return outcome;
}

std::string link_up() {
    const genlmsghdr head{ETHTOOL_MSG_LINKSTATE_GET_REPLY, 1, 0};
    const ByteList attributes = attribute(ETHTOOL_A_LINKSTATE_LINK, std::uint8_t{1});
    return hex_lines(encode_request({21, 0, bytes_of(head), attributes}));
}

std::string dcb_of_firmware() {
    dcbmsg head{};
    head.cmd = DCB_CMD_IEEE_GET;
    const ByteList attributes = attribute(DCB_ATTR_DCBX, std::uint8_t{12});
    return hex_lines(encode_request({RTM_GETDCB, 0, bytes_of(head), attributes}));
}

std::string frame() {
    return hex_lines(list_of({1, 0x80, 0xc2, 0,   0,   0x0e, 2, 0, 0,   0,   0, 1, 0x88, 0xcc,
                              2, 3,    7,    'c', 'h', 4,    3, 7, 'p', '1', 6, 2, 0,    120}));
}

}  // namespace

TEST_CASE("a captured tree gives statistics, link, DCB and neighbour of a port") {
    const TemporaryDirectory tree;
    tree.write("ferrule/ethtool/eth2/statistics", "rx_discards_phy: 3\n");
    tree.write("ferrule/ethtool/eth2/linkstate", link_up());
    tree.write("ferrule/ethtool/eth2/pause", hex_lines(refusal(EOPNOTSUPP)));
    tree.write("ferrule/dcb/eth2", dcb_of_firmware());
    tree.write("ferrule/lldp/eth2", frame());
    const Outcome outcome = read_from(tree);
    CHECK(outcome.problems.empty());
    const EthernetLink link = outcome.netdev.ethernet.value();
    CHECK(link.link_up == true);
    CHECK(link.statistics == Counters{{"rx_discards_phy", 3}});
    CHECK_FALSE(link.pause);
    CHECK(outcome.netdev.dcb.value().dcbx == 12);
    CHECK(outcome.netdev.lldp.value().port_id == "p1");
}

TEST_CASE("a tree without these files is no problem") {
    const Outcome outcome = read_from(TemporaryDirectory{});
    CHECK(outcome.problems.empty());
    CHECK(outcome.netdev.ethernet == std::nullopt);
    CHECK(outcome.netdev.dcb == std::nullopt);
    CHECK(outcome.netdev.lldp == std::nullopt);
}

TEST_CASE("each file that cannot be understood is a problem, and the others are read") {
    const TemporaryDirectory tree;
    tree.write("ferrule/ethtool/eth2/statistics", "nonsense\n");
    tree.write("ferrule/ethtool/eth2/linkstate", link_up());
    tree.write("ferrule/ethtool/eth2/linkmodes", "0g\n");
    tree.write("ferrule/ethtool/eth2/fec", hex_lines(refusal(EIO)));
    tree.write("ferrule/dcb/eth2", "1400\n");
    tree.write("ferrule/lldp/eth2", "0180c2\n");
    const Outcome outcome = read_from(tree);
    CHECK(outcome.netdev.ethernet.value().link_up == true);
    std::vector<std::string> places;
    for (const ReadProblem& problem : outcome.problems) {
        places.push_back(problem.where);
    }
    CHECK(places == std::vector<std::string>{
                        "ferrule/ethtool/eth2/statistics", "ferrule/ethtool/eth2/linkmodes",
                        "ferrule/ethtool/eth2/fec", "ferrule/dcb/eth2", "ferrule/lldp/eth2"});
    CHECK(outcome.problems[2].error_number == EIO);
    CHECK(outcome.problems[3].what == "netlink: message cut short");
}
