// The way of a function to its root port, from sysfs and from a captured tree.
#include "fabric/read/pci_health.h"

#include "fabric/read/netlink_file.h"
#include "fabric/read/pci_config.h"
#include "tests/support/catch.h"
#include "tests/support/machine.h"
#include "tests/unit/read/pci_config_bytes.h"

#include <algorithm>
#include <cerrno>
#include <filesystem>

using namespace ferrule;
using namespace ferrule::testing;

namespace {

const std::string kRoot = "sys/devices/pci0000:15/0000:15:01.0";
const std::string kNic = kRoot + "/0000:16:00.0/0000:17:00.0/0000:18:00.0";
const std::string kAer = "RxErr 1\nBadTLP 2\n";

void link_function(const TemporaryDirectory& tree, const std::string& path) {
    const std::filesystem::path devices = tree.path() + "/sys/bus/pci/devices";
    std::filesystem::create_directories(devices);
    std::filesystem::create_directory_symlink("../../../../" + path,
                                              devices / path.substr(path.rfind('/') + 1));
}

void write_link(const TemporaryDirectory& tree, const std::string& path, const std::string& speed,
                const std::string& width) {
    tree.write(path + "/current_link_speed", speed + "\n");
    tree.write(path + "/max_link_speed", "32.0 GT/s PCIe\n");
    tree.write(path + "/current_link_width", width + "\n");
    tree.write(path + "/max_link_width", "16\n");
    link_function(tree, path);
}

// An adapter behind a switch, whose two bridges are between it and the root port.
void write_nic(const TemporaryDirectory& tree) {
    write_link(tree, kNic, "16.0 GT/s PCIe", "8");
    write_link(tree, kRoot + "/0000:16:00.0/0000:17:00.0", "32.0 GT/s PCIe", "16");
    write_link(tree, kRoot + "/0000:16:00.0", "5.0 GT/s PCIe", "16");
    write_link(tree, kRoot, "Unknown", "0");
    tree.write(kNic + "/aer_dev_correctable", kAer + "TOTAL_ERR_COR 3\n");
    tree.write(kNic + "/aer_dev_nonfatal", "Undefined 0\nTOTAL_ERR_NONFATAL 0\n");
    tree.write(kNic + "/aer_dev_fatal", "TOTAL_ERR_FATAL 1\n");
}

PciHealth read_place(const TemporaryDirectory& tree, const std::string& path,
                     std::vector<ReadProblem>& problems) {
    return read_pci_health(Dir::open(tree.path()).value(), pci_place_of_link(path), problems);
}

std::string as_text(const std::vector<std::byte>& bytes) {
    std::string text(bytes.size(), '\0');
    std::ranges::transform(bytes, text.begin(), [](std::byte it) { return static_cast<char>(it); });
    return text;
}

}  // namespace

TEST_CASE("each hop from the function to the root port has its link") {
    TemporaryDirectory tree;
    write_nic(tree);
    std::vector<ReadProblem> problems;
    const PciHealth health = read_place(tree, kNic, problems);
    REQUIRE(health.path.size() == 4);
    CHECK(health.path[0].address == parse_pci_address("0000:18:00.0"));
    CHECK(health.path[0].current == PciLink{160, 8});
    CHECK(health.path[0].max == PciLink{320, 16});
    CHECK(health.path[2].current == PciLink{50, 16});
    CHECK(health.path[3].address == parse_pci_address("0000:15:01.0"));
    CHECK_FALSE(health.path[3].current);
    CHECK(health.correctable_errors == 3U);
    CHECK(health.nonfatal_errors == 0U);
    CHECK(health.fatal_errors == 1U);
    CHECK_FALSE(health.max_read_request);
    CHECK(problems.empty());
}

TEST_CASE("settings come from the file config, and of a captured tree from its hexadecimal lines") {
    const auto nic = PciConfigBytes{4096}.express(0x5030).bytes;
    const auto bridge = PciConfigBytes{4096, true}.express(0).access(0x1d).bytes;
    TemporaryDirectory live;
    write_nic(live);
    live.write(kNic + "/config", as_text(nic));
    live.write(kRoot + "/0000:16:00.0/0000:17:00.0/config", as_text(bridge));
    // All that others than root get.
    live.write(kRoot + "/config", as_text(PciConfigBytes{64, true}.bytes));
    TemporaryDirectory captured;
    write_nic(captured);
    captured.write("ferrule/pci-config/0000:18:00.0", hex_lines(plain_pci_config(nic)));
    captured.write("ferrule/pci-config/0000:17:00.0", hex_lines(plain_pci_config(bridge)));
    std::vector<ReadProblem> problems;
    const PciHealth health = read_place(live, kNic, problems);
    CHECK(health.max_read_request == 4096U);
    CHECK(health.max_payload == 256U);
    CHECK(health.relaxed_ordering == true);
    CHECK_FALSE(health.path[0].acs_redirects);
    CHECK(health.path[1].acs_redirects == true);
    CHECK_FALSE(health.path[3].acs_redirects);
    CHECK(read_place(captured, kNic, problems) == health);
    CHECK(problems.empty());
}

TEST_CASE("a virtual function stands for its physical one, and in a guest for itself") {
    TemporaryDirectory tree;
    write_nic(tree);
    const std::string virtual_nic = kRoot + "/0000:16:00.0/0000:17:00.0/0000:18:00.2";
    write_link(tree, virtual_nic, "Unknown", "255");
    std::vector<ReadProblem> problems;
    const PciHealth guest = read_place(tree, virtual_nic, problems);
    REQUIRE(guest.path.size() == 4);
    CHECK_FALSE(guest.path[0].current);
    CHECK_FALSE(guest.correctable_errors);
    std::filesystem::create_directory_symlink("../0000:18:00.0",
                                              tree.path() + "/" + virtual_nic + "/physfn");
    CHECK(read_place(tree, virtual_nic, problems) == read_place(tree, kNic, problems));
    CHECK(problems.empty());
}

TEST_CASE("what cannot be read is a problem, what is absent is none") {
    TemporaryDirectory tree;
    std::vector<ReadProblem> problems;
    CHECK(read_place(tree, kNic, problems) == PciHealth{});
    CHECK(read_place(tree, "devices/virtual/infiniband/rxe0", problems) == PciHealth{});
    link_function(tree, kNic);
    CHECK(read_place(tree, kNic, problems).path.size() == 4);
    CHECK(problems.empty());
    tree.write(kNic + "/aer_dev_fatal", "no total\n");
    tree.write(kNic + "/aer_dev_nonfatal/is a directory", "");
    tree.write(kNic + "/config/is a directory", "");
    tree.write("ferrule/pci-config/0000:17:00.0", "xy\n");
    CHECK(read_place(tree, kNic, problems).path.size() == 4);
    REQUIRE(problems.size() == 4);
    CHECK(problems[0].where == "sys/bus/pci/devices/0000:18:00.0/config");
    CHECK(problems[0].error_number == EISDIR);
    CHECK(problems[1].where == "sys/bus/pci/devices/0000:18:00.0/aer_dev_nonfatal");
    CHECK(problems[2].error_number == EBADMSG);
    CHECK(problems[3].where == "ferrule/pci-config/0000:17:00.0");
}

TEST_CASE("the total of an error table is the number in its last line") {
    CHECK(parse_aer_total(kAer + "TOTAL_ERR_COR 18446744073709551615") == 18446744073709551615U);
    CHECK_FALSE(parse_aer_total(""));
    CHECK_FALSE(parse_aer_total(kAer));
    CHECK_FALSE(parse_aer_total("TOTAL_ERR_COR"));
    CHECK_FALSE(parse_aer_total("TOTAL_ERR_COR x"));
}
