// probe_mtu NETDEV PEER SIZE: sends one large packet and says what became of it.
#include "fabric/base/text.h"
#include "fabric/isolate/mtu_probe.h"

#include <cstdlib>
#include <iostream>

int main(int argc, char** argv) {
    using namespace ferrule;
    constexpr int kWords = 4;
    if (argc != kWords) {
        return EXIT_FAILURE;
    }
    std::vector<MtuProbe> probes(1);
    probes[0].netdev = argv[1];
    probes[0].peer = parse_ip(argv[2]).value_or(IpAddress{});
    probes[0].size = parse_number<unsigned>(argv[3]).value_or(0);
    send_mtu_probes(probes, Deadline{std::chrono::milliseconds{1000}});
    std::cout << (probes[0].answered ? "answered" : "lost") << ' '
              << (probes[0].small_answered ? "small-answered" : "small-lost") << ' '
              << probes[0].error_number << '\n';
    return EXIT_SUCCESS;
}
