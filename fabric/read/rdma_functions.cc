#include "fabric/read/rdma_functions.h"

#include "fabric/read/attributes.h"
#include "fabric/read/pci_ids.h"

#include <algorithm>

namespace ferrule {

namespace {

constexpr const char* kDevices = "sys/bus/pci/devices";

constexpr std::uint32_t kNetworkClass = 0x02;
constexpr std::uint32_t kEthernetClass = 0x0200;
constexpr std::uint32_t kInfinibandClass = 0x0207;

bool is_efa(const RdmaFunction& function) {
    return function.vendor_id == kAmazon && function.device_id >= 0xefa0 &&
           function.device_id <= 0xefa3;
}

// ConnectX-3 is 0x1003; BlueField has numbers of its own.
bool is_mellanox_adapter(const RdmaFunction& function) {
    const std::uint16_t device = function.device_id;
    return function.vendor_id == kMellanox &&
           ((device >= 0x1003 && device <= 0x10ff) || (device >= 0xa2d0 && device <= 0xa2ff)) &&
           !is_mellanox_virtual_function(function.vendor_id, device);
}

bool is_rdma_function(std::uint32_t pci_class, const RdmaFunction& function) {
    return pci_class >> 8U == kInfinibandClass || is_efa(function) ||
           (pci_class >> 8U == kEthernetClass && is_mellanox_adapter(function));
}

std::optional<RdmaFunction> read_function(const Attributes& devices, const std::string& name) {
    const auto address = parse_pci_address(name);
    // One file decides about most functions.
    const auto pci_class = devices.number<std::uint32_t>((name + "/class").c_str());
    if (!address || !pci_class || *pci_class >> 16U != kNetworkClass) {
        return std::nullopt;
    }
    RdmaFunction function{};
    function.address = *address;
    function.vendor_id = devices.number<std::uint16_t>((name + "/vendor").c_str()).value_or(0);
    function.device_id = devices.number<std::uint16_t>((name + "/device").c_str()).value_or(0);
    if (!is_rdma_function(*pci_class, function) || devices.dir().link((name + "/physfn").c_str())) {
        return std::nullopt;
    }
    function.driver = devices.link_name((name + "/driver").c_str());
    // The folder of the class stays there when its device is in another namespace.
    function.has_device = devices.dir().exists((name + "/infiniband").c_str());
    return function;
}

}  // namespace

std::vector<RdmaFunction> read_rdma_functions(const Dir& root, std::vector<ReadProblem>& problems) {
    std::vector<RdmaFunction> functions;
    const auto dir = root.sub(kDevices);
    const auto names = dir ? dir->list() : tl::unexpected{dir.error()};
    if (!names) {
        if (names.error().code != std::errc::no_such_file_or_directory) {
            problems.push_back(
                {kDevices, names.error().code.value(), names.error().code.message()});
        }
        return functions;
    }
    const Attributes devices{*dir, kDevices, problems};
    for (const std::string& name : *names) {
        if (auto function = read_function(devices, name)) {
            functions.push_back(std::move(*function));
        }
    }
    std::ranges::sort(functions, {}, &RdmaFunction::address);
    return functions;
}

}  // namespace ferrule
