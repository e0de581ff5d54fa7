// What the kernel says of itself, in trees that have all, part or none of it.
#include "fabric/read/host_state.h"

#include "tests/support/catch.h"
#include "tests/support/machine.h"

#include <cerrno>
#include <filesystem>

using namespace ferrule;
using namespace ferrule::testing;

namespace {

using Sysctls = std::vector<std::pair<std::string, std::string>>;

HostState read_tree(const TemporaryDirectory& tree, std::vector<ReadProblem>& problems,
                    const std::vector<std::string>& sysctls = {}) {
    return read_host_state(Dir::open(tree.path()).value(), sysctls, problems);
}

}  // namespace

TEST_CASE("boot, machine, modules and IOMMU of a node") {
    TemporaryDirectory tree;
    tree.write("proc/sys/kernel/random/boot_id", "7d1b5f6e-0000-4000-8000-000000000001\n");
    tree.write("proc/uptime", "350735.47 234388.90\n");
    tree.write("sys/class/dmi/id/product_name", "p5.48xlarge\n");
    tree.write("sys/module/nvidia_peermem/version", "550.54.15\n");
    tree.write("sys/module/ib_core/uevent", "");
    tree.write("sys/module/ib_uverbs/uevent", "");
    tree.write("sys/module/8021q/uevent", "");
    tree.write("sys/kernel/iommu_groups/0/type", "DMA\n");
    std::vector<ReadProblem> problems;
    const HostState host = read_tree(tree, problems);
    CHECK(host.boot_id == "7d1b5f6e-0000-4000-8000-000000000001");
    CHECK(host.uptime_ms == 350735470U);
    CHECK(host.product == "p5.48xlarge");
    CHECK(host.modules ==
          std::vector<std::string>{"8021q", "ib_core", "ib_uverbs", "nvidia_peermem"});
    CHECK(host.iommu == true);
    CHECK(problems.empty());
}

TEST_CASE("an empty tree has an empty state and no problem") {
    TemporaryDirectory tree;
    std::vector<ReadProblem> problems;
    CHECK(read_tree(tree, problems, {"net.core.rmem_max"}) == HostState{});
    CHECK(problems.empty());
    std::filesystem::create_directories(tree.path() + "/sys/kernel/iommu_groups");
    CHECK(read_tree(tree, problems).iommu == false);
}

TEST_CASE("settings come in one order, interfaces with dots among them, asked ones last") {
    TemporaryDirectory tree;
    const std::string conf = "proc/sys/net/ipv4/conf/";
    tree.write("proc/sys/net/ipv4/tcp_ecn", "2\n");
    for (const char* interface : {"bond4.2093", "all", "default"}) {
        tree.write(conf + interface + "/rp_filter", "1\n");
    }
    tree.write(conf + "all/arp_ignore", "0\n");
    tree.write("proc/sys/net/ipv4/tcp_rmem", "4096\t131072\t6291456\n");
    std::vector<ReadProblem> problems;
    const HostState host = read_tree(
        tree, problems,
        {"net.ipv4.tcp_rmem", "net.ipv4.conf.all.rp_filter", "net.ipv4.no.such", "../../etc"});
    CHECK(host.sysctls == Sysctls{{"net.ipv4.tcp_ecn", "2"},
                                  {"net.ipv4.conf.all.arp_ignore", "0"},
                                  {"net.ipv4.conf.all.rp_filter", "1"},
                                  {"net.ipv4.conf.default.rp_filter", "1"},
                                  {"net.ipv4.conf.bond4.2093.rp_filter", "1"},
                                  {"net.ipv4.tcp_rmem", "4096 131072 6291456"}});
    REQUIRE(problems.size() == 1);
    CHECK(problems[0].where == "../../etc");
    CHECK(problems[0].error_number == EINVAL);
}

TEST_CASE("the file of a setting is below proc/sys, whatever its name") {
    CHECK(sysctl_file("net.ipv4.tcp_ecn") == "proc/sys/net/ipv4/tcp_ecn");
    CHECK(sysctl_file("kernel") == "proc/sys/kernel");
    CHECK(sysctl_file("net.ipv4.conf.eth0.rp_filter") == "proc/sys/net/ipv4/conf/eth0/rp_filter");
    for (const char* name : {"net.ipv6.conf.bond4.2093.mtu", "net.ipv6.conf.bond4/2093.mtu"}) {
        CHECK(sysctl_file(name) == "proc/sys/net/ipv6/conf/bond4.2093/mtu");
    }
    for (const char* name :
         {"", ".", "..", "net.", ".net", "net..ipv4", "net/ipv4/tcp_ecn", "/etc/passwd",
          "net.ipv4.conf.", "net.ipv4.conf.eth0", "net.ipv4.conf..rp_filter",
          "net.ipv4.conf....rp_filter", "net.ipv4.conf.//.x", "net.ipv4.conf.eth0.",
          "net.ipv4.conf.eth0./x"}) {
        INFO(name);
        CHECK_FALSE(sysctl_file(name));
    }
}

TEST_CASE("an uptime is two decimals of seconds, and else a problem") {
    CHECK(parse_uptime("0.01 0.00") == 10U);
    CHECK(parse_uptime("12 3") == 12000U);
    CHECK(parse_uptime("4294967296.99 1.00") == 4294967296990U);
    for (const char* text : {"", " ", "x 1", "1.5 2", "1.005", "-1.00", "1.x0",
                             "18446744073709551615.00", "99999999999999999999.00"}) {
        INFO(text);
        CHECK_FALSE(parse_uptime(text));
    }
    TemporaryDirectory tree;
    tree.write("proc/uptime", "long\n");
    std::vector<ReadProblem> problems;
    CHECK_FALSE(read_tree(tree, problems).uptime_ms);
    REQUIRE(problems.size() == 1);
    CHECK(problems[0].what == "\"long\" not understood");
}

TEST_CASE("what cannot be read is a problem each, and the rest is read") {
    TemporaryDirectory tree;
    tree.write("proc/sys/kernel/random/boot_id/is a directory", "");
    tree.write("sys/module", "a file\n");
    tree.write("sys/kernel/iommu_groups", "a file\n");
    tree.write("proc/sys/net/ipv4/tcp_ecn/is a directory", "");
    tree.write("sys/class/dmi/id/product_name", "DGXH100\n");
    std::vector<ReadProblem> problems;
    const HostState host = read_tree(tree, problems);
    CHECK(host.product == "DGXH100");
    CHECK_FALSE(host.iommu);
    REQUIRE(problems.size() == 4);
    CHECK(problems[0].where == "proc/sys/kernel/random/boot_id");
    CHECK(problems[1].where == "sys/module");
    CHECK(problems[2].where == "sys/kernel/iommu_groups");
    CHECK(problems[3].where == "proc/sys/net/ipv4/tcp_ecn");
}
