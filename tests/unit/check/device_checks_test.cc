// The checks of devices and of the host: one thing is wrong, one check says so.
#include "tests/support/health_world.h"

#include <cerrno>

using namespace ferrule;
using namespace ferrule::testing;

namespace {

constexpr Fabric kIb = Fabric::InfiniBand;
constexpr Fabric kRoce = Fabric::Roce;
constexpr Fabric kEfa = Fabric::Efa;
constexpr Outcome kPass = Outcome::Pass;
constexpr Outcome kFail = Outcome::Fail;
constexpr Outcome kUnknown = Outcome::Unknown;
constexpr Outcome kNone = Outcome::NotApplicable;
constexpr Severity kWarning = Severity::Warning;

const std::vector<Case> kDevices{
    {kIb, "device-hung", nothing, "node", kPass},
    {kIb, "device-hung", [](World& it) { it.snapshot.hung = {{"mlx5_1", "rate", 2000, true}}; },
     "mlx5_1", kFail, "within 2000 ms while reading rate, inside the kernel"},
    {kIb, "kernel-modules", nothing, "node", kPass},
    {kIb, "kernel-modules", [](World& it) { it.snapshot.rdma_class = false; }, "node", kNone,
     "4 adapters that could do RDMA"},
    {kIb, "kernel-modules",
     [](World& it) {
         it.snapshot.rdma_class = false;
         it.snapshot.infiniband_functions = 4;
     },
     "node", kFail, "4 adapters on PCI"},
    {kIb, "kernel-modules",
     [](World& it) {
         it.snapshot.rdma_class = false;
         it.profile.rails = {parse_rail_selector("mlx5_0")};
     },
     "node", kFail},
    {kIb, "kernel-modules", [](World& it) { it.wants().modules = {"ib-umad"}; }, "node", kPass},
    {kIb, "kernel-modules", [](World& it) { it.wants().modules = {"ib_ipoib"}; }, "node", kFail,
     "ib_ipoib is not loaded"},
    {kIb, "kernel-modules",
     [](World& it) {
         it.wants().modules = {"ib_ipoib"};
         it.snapshot.host.modules.clear();
     },
     "node", kUnknown},
    {kIb, "device-missing", nothing, "node", kPass},
    {kIb, "device-missing", [](World& it) { it.snapshot.hcas.pop_back(); }, "0000:03:00.0", kFail,
     "15b3:1021 with mlx5_core"},
    {kIb, "device-missing",
     [](World& it) {
         it.snapshot.hcas.pop_back();
         it.snapshot.rdma_functions.back().device_id = 0x101d;
     },
     "node", kPass},
    {kIb, "device-missing",
     [](World& it) {
         it.snapshot.hcas.pop_back();
         it.snapshot.rdma_functions.back().driver = "vfio-pci";
     },
     "node", kPass},
    {kIb, "device-missing",
     [](World& it) {
         it.profile.rails = {parse_rail_selector("mlx5_0"), parse_rail_selector("x9")};
     },
     "x9", kFail, "not on this node"},
    {kIb, "device-missing",
     [](World& it) {
         it.profile.rails = {parse_rail_selector("mlx5_0")};
         it.hca(0).ports.clear();
         it.snapshot.hung = {{"mlx5_0", "rate", 2000, false}};
     },
     "mlx5_0", kUnknown, "does not answer"},
    {kIb, "device-count", nothing, "node", kNone},
    {kIb, "device-count", [](World& it) { it.wants().hcas = NumberRange{4, 4}; }, "node", kPass},
    {kIb, "device-count", [](World& it) { it.wants().hcas = NumberRange{5, 5}; }, "node", kFail,
     "4 RDMA devices"},
    {kEfa, "device-count", [](World& it) { it.wants().efa_devices = 2; }, "node", kPass},
    {kEfa, "device-count", [](World& it) { it.wants().efa_devices = 4; }, "node", kFail},
    {kEfa, "device-count", [](World& it) { it.snapshot.host.product = "p5.48xlarge"; }, "node",
     kFail, "2 EFA devices", kWarning},
    {kIb, "device-count", [](World& it) { it.snapshot.host.product = "p5.48xlarge"; }, "node",
     kFail, "0 EFA devices"},
    {kIb, "gpu-count", nothing, "node", kNone},
    {kIb, "gpu-count", [](World& it) { it.wants().gpus = 4; }, "node", kPass},
    {kIb, "gpu-count", [](World& it) { it.wants().gpus = 8; }, "node", kFail, "4 GPUs"},
    {kIb, "device-open", nothing, "mlx5_0", kPass, "verbs open it"},
    {kIb, "device-open", [](World& it) { it.hca(0).open_error = std::nullopt; }, "mlx5_0", kPass},
    {kIb, "device-open", [](World& it) { it.hca(1).uverbs.clear(); }, "mlx5_1", kFail},
    {kIb, "device-open", [](World& it) { it.hca(1).openable = false; }, "mlx5_1", kFail},
    {kIb, "device-open", [](World& it) { it.hca(1).open_error = ENODEV; }, "mlx5_1", kFail},
    {kIb, "device-open", [](World& it) { it.hca(1).open_error = EACCES; }, "mlx5_1", kUnknown},
    {kIb, "guid-duplicate", nothing, "node", kPass},
    {kIb, "guid-duplicate", [](World& it) { it.hca(2).node_guid = it.hca(0).node_guid; }, "mlx5_2",
     kFail},
    {kIb, "guid-duplicate", [](World& it) { it.hca(2).node_guid = it.hca(0).node_guid = {}; },
     "node", kPass},
    {kIb, "firmware", nothing, "mlx5_0", kPass},
    {kIb, "firmware", [](World& it) { it.hca(1).firmware = "28.38.1"; }, "mlx5_1", kFail, "",
     kWarning},
    {kIb, "firmware", [](World& it) { it.hca(1).firmware.clear(); }, "mlx5_1", kNone},
    {kIb, "firmware",
     [](World& it) { it.wants().firmware = parse_version_rules("28.39.1002, 28.40+").value(); },
     "mlx5_1", kPass},
    {kIb, "firmware",
     [](World& it) { it.wants().firmware = parse_version_rules("28.40+").value(); }, "mlx5_1",
     kFail, "28.39.1002"},
    {kIb, "firmware",
     [](World& it) {
         it.wants().firmware = parse_version_rules("28.40+").value();
         it.hca(1).firmware.clear();
         it.unreadable("sys/class/infiniband/mlx5_1/fw_ver");
     },
     "mlx5_1", kUnknown, "Input/output error"},
    {kIb, "driver", [](World& it) { it.hca(1).driver = "mlx4_core"; }, "mlx5_1", kFail, "",
     kWarning},
    {kIb, "driver", [](World& it) { it.wants().drivers = {"mlx5_core"}; }, "mlx5_1", kPass},
    {kIb, "driver", [](World& it) { it.wants().drivers = {"efa"}; }, "mlx5_1", kFail},
    {kIb, "driver", [](World& it) { it.hca(1).driver.clear(); }, "mlx5_1", kNone},
    {kIb, "driver",
     [](World& it) { it.wants().driver_version = parse_version_rules("6.8+").value(); }, "mlx5_1",
     kPass},
    {kIb, "driver",
     [](World& it) {
         it.wants().driver_version = parse_version_rules("24.10+").value();
         it.hca(1).driver_version = "24.07-0.6.1";
     },
     "mlx5_1", kFail, "24.07-0.6.1"},
    {kIb, "board", [](World& it) { it.hca(1).board_id = "DEL1"; }, "mlx5_1", kFail, "", kWarning},
    {kIb, "board", [](World& it) { it.wants().boards = {"DEL1", "DEL2"}; }, "mlx5_1", kFail},
    {kIb, "board", [](World& it) { it.hca(1).board_id.clear(); }, "mlx5_1", kNone},
    {kIb, "gpudirect", nothing, "node", kPass},
    {kIb, "gpudirect", [](World& it) { it.snapshot.gpus.clear(); }, "node", kNone},
    {kIb, "gpudirect", [](World& it) { it.snapshot.host.modules = {"mlx5_ib"}; }, "node", kNone},
    {kIb, "gpudirect", [](World& it) { it.snapshot.host.modules.clear(); }, "node", kUnknown},
    {kIb, "gpudirect",
     [](World& it) {
         it.snapshot.host.modules = {"mlx5_ib"};
         it.wants().gpudirect = GpuDirect::Peermem;
     },
     "node", kFail},
    {kIb, "memlock", nothing, "node", kPass, "unlimited"},
    {kIb, "memlock", [](World& it) { it.snapshot.memlock_limit = 65536; }, "node", kFail,
     "65536 bytes", kWarning},
    {kIb, "memlock",
     [](World& it) {
         it.snapshot.memlock_limit = 1U << 30U;
         it.wants().memlock = NumberRange{~0ULL, ~0ULL};
     },
     "node", kFail},
    {kIb, "memlock", [](World& it) { it.unreadable("proc/self/limits"); }, "node", kUnknown},
    {kIb, "sysctl", nothing, "node", kNone},
    {kIb, "sysctl", [](World& it) { it.wants().sysctls = {{"net.ipv4.conf.all.arp_ignore", "1"}}; },
     "node", kPass},
    {kIb, "sysctl", [](World& it) { it.wants().sysctls = {{"net.ipv4.conf.all.arp_ignore", "2"}}; },
     "node", kFail},
    {kIb, "sysctl", [](World& it) { it.wants().sysctls = {{"net.ipv4.tcp_ecn", "1"}}; }, "node",
     kUnknown},
};

const std::vector<Case> kPcie{
    {kIb, "pcie-link", nothing, "mlx5_0", kPass, "32 GT/s x16"},
    {kIb, "pcie-link", [](World& it) { it.pcie(1).path[0].current = PciLink{320, 8}; }, "mlx5_1",
     kFail, "32 GT/s x8"},
    {kIb, "pcie-link", [](World& it) { it.pcie(1).path[0].current = PciLink{160, 16}; }, "mlx5_1",
     kFail},
    {kIb, "pcie-link", [](World& it) { it.pcie(1).path[2].current = PciLink{320, 4}; }, "mlx5_1",
     kFail, "above 0000:01:02.0"},
    // An adapter of 8 lanes in a slot of 16 behind a switch.
    {kIb, "pcie-link",
     [](World& it) {
         auto& path = it.pcie(1).path;
         path[0].current = path[0].max = path[1].current = PciLink{320, 8};
     },
     "mlx5_1", kPass, "32 GT/s x8"},
    {kIb, "pcie-link", [](World& it) { it.pcie(1).path[2].current = PciLink{25, 16}; }, "mlx5_1",
     kPass},
    {kIb, "pcie-link", [](World& it) { it.pcie(1).path[1].max = PciLink{320, 8}; }, "mlx5_1",
     kPass},
    {kIb, "pcie-link", [](World& it) { it.pcie(1).path[0].current = std::nullopt; }, "mlx5_1",
     kUnknown},
    {kIb, "pcie-link", [](World& it) { it.hca(1).pcie = std::nullopt; }, "mlx5_1", kNone},
    {kIb, "pcie-link", [](World& it) { it.wants().pcie_width = NumberRange{16, 16}; }, "mlx5_1",
     kPass},
    {kIb, "pcie-link", [](World& it) { it.wants().pcie_width = NumberRange{32, 32}; }, "mlx5_1",
     kFail},
    {kIb, "pcie-link", [](World& it) { it.wants().pcie_speed = NumberRange{640, 640}; }, "mlx5_1",
     kFail},
    {kIb, "pcie-errors", nothing, "mlx5_0", kPass},
    {kIb, "pcie-errors", [](World& it) { it.pcie(1).fatal_errors = 1; }, "mlx5_1", kFail,
     "1 fatal PCIe errors"},
    {kIb, "pcie-errors", [](World& it) { it.pcie(1).correctable_errors = 101; }, "mlx5_1", kFail,
     "", kWarning},
    {kIb, "pcie-errors", [](World& it) { it.pcie(1).correctable_errors = 100; }, "mlx5_1", kPass},
    {kIb, "acs", nothing, "mlx5_0", kPass, "off"},
    {kIb, "acs", [](World& it) { it.pcie(1).path[1].acs_redirects = true; }, "mlx5_1", kFail,
     "redirected at 0000:01:01.0", kWarning},
    {kIb, "acs",
     [](World& it) {
         it.pcie(1).path[1].acs_redirects = true;
         it.snapshot.gpus.clear();
     },
     "mlx5_1", kPass, "on"},
    {kIb, "acs",
     [](World& it) {
         it.pcie(1).path[1].acs_redirects = true;
         it.wants().acs = Switched::Off;
     },
     "mlx5_1", kFail, "redirected at 0000:01:01.0"},
    {kIb, "acs", [](World& it) { it.wants().acs = Switched::On; }, "mlx5_1", kFail},
    {kIb, "acs", [](World& it) { it.pcie(1).path.resize(1); }, "mlx5_1", kNone},
    {kIb, "acs",
     [](World& it) {
         it.pcie(1).path.resize(1);
         it.wants().acs = Switched::Off;
     },
     "mlx5_1", kUnknown},
    {kIb, "relaxed-ordering", nothing, "mlx5_0", kNone},
    {kIb, "relaxed-ordering", [](World& it) { it.wants().relaxed_ordering = Switched::On; },
     "mlx5_0", kPass},
    {kIb, "relaxed-ordering", [](World& it) { it.wants().relaxed_ordering = Switched::Off; },
     "mlx5_0", kFail},
    {kIb, "relaxed-ordering",
     [](World& it) {
         it.wants().relaxed_ordering = Switched::On;
         it.pcie(0).relaxed_ordering = std::nullopt;
     },
     "mlx5_0", kUnknown},
    {kIb, "read-request", nothing, "mlx5_0", kNone},
    {kIb, "read-request", [](World& it) { it.wants().read_request = NumberRange{512, 4096}; },
     "mlx5_0", kPass},
    {kRoce, "read-request",
     [](World& it) {
         it.wants().read_request = NumberRange{4096, 4096};
         it.pcie(0).max_read_request = 512;
     },
     "mlx5_0", kFail, "512 bytes"},
    {kIb, "read-request",
     [](World& it) {
         it.wants().read_request = NumberRange{512, 4096};
         it.hca(0).pcie = std::nullopt;
     },
     "mlx5_0", kUnknown},
};

}  // namespace

TEST_CASE("a fault of a device or of the host is found by its check") {
    expect(GENERATE(from_range(kDevices)));
}

TEST_CASE("a fault of PCIe is found by its check") {
    expect(GENERATE(from_range(kPcie)));
}
