// Prints what the readers of Ethernet ports get of this machine, for netns.bats.
//   ask_port ethernet NETDEV             a fact a line
//   ask_port lldp MILLISECONDS NETDEV... "netdev: port" for each that a frame came in on
#include "fabric/base/text.h"
#include "fabric/read/ethernet.h"
#include "fabric/read/lldp.h"
#include "fabric/read/lldp_socket.h"

#include <chrono>
#include <cstdlib>
#include <iostream>
#include <string>
#include <vector>

namespace {

using namespace ferrule;

int ethernet(const std::string& name) {
    Netdev netdev{};
    netdev.name = name;
    std::vector<ReadProblem> problems;
    read_ethernet(Dir::open("/").value(), Source::Live, netdev, problems);
    const EthernetLink link = netdev.ethernet.value_or(EthernetLink{});
    std::cout << "dcb " << (netdev.dcb ? "yes" : "no") << '\n';
    std::cout << "link " << (link.link_up ? std::to_string(*link.link_up) : "untold") << '\n';
    std::cout << "speed " << link.speed.value_or(0) << '\n';
    std::cout << "pause " << (link.pause ? "yes" : "no") << '\n';
    std::cout << "statistics " << link.statistics.size() << '\n';
    for (const Counter& counter : link.statistics) {
        std::cout << "statistic " << counter.name << '\n';
    }
    for (const ReadProblem& problem : problems) {
        std::cout << "problem " << problem.where << ": " << problem.what << '\n';
    }
    return EXIT_SUCCESS;
}

int lldp(const std::vector<std::string>& arguments) {
    const std::chrono::milliseconds patience{parse_number<unsigned>(arguments.front()).value()};
    const auto frames =
        listen_for_lldp({arguments.begin() + 1, arguments.end()}, Deadline{patience});
    if (!frames) {
        std::cout << "error " << frames.error().text << '\n';
        return EXIT_FAILURE;
    }
    for (const auto& [netdev, frame] : *frames) {
        const auto neighbour = decode_lldp(frame);
        std::cout << netdev << ": " << (neighbour ? neighbour->port_id : neighbour.error().text)
                  << '\n';
    }
    return EXIT_SUCCESS;
}

}  // namespace

int main(int argc, char** argv) {
    const std::vector<std::string> arguments{argv + 1, argv + argc};
    if (arguments.size() == 2 && arguments.front() == "ethernet") {
        return ethernet(arguments.back());
    }
    if (arguments.size() >= 2 && arguments.front() == "lldp") {
        return lldp({arguments.begin() + 1, arguments.end()});
    }
    return 2;
}
