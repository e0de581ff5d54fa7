#include "fabric/read/gpus.h"

#include "fabric/read/attributes.h"
#include "fabric/read/port_tables.h"

#include <algorithm>
#include <array>
#include <tuple>

namespace ferrule {

namespace {

constexpr const char* kPciDevices = "sys/bus/pci/devices";
constexpr const char* kNvidiaGpus = "proc/driver/nvidia/gpus";

struct PciClass {
    std::uint16_t vendor;
    std::uint32_t base_and_sub_class;
};

// Display controllers and processing accelerators: base classes 0x03 and 0x12.
bool may_be_gpu(std::uint32_t pci_class) {
    return pci_class >> 16U == 0x03 || pci_class >> 16U == 0x12;
}

// Display controllers of other vendors are the console of the server's service processor.
constexpr std::array kGpuClasses{
    PciClass{0x10de, 0x0300}, PciClass{0x10de, 0x0302}, PciClass{0x1002, 0x0302},
    PciClass{0x1002, 0x0380}, PciClass{0x1002, 0x1200}, PciClass{0x8086, 0x0380},
    PciClass{0x1da3, 0x1200},
};

bool is_gpu(std::uint16_t vendor, std::uint32_t pci_class) {
    return std::ranges::any_of(kGpuClasses, [&](const PciClass& known) {
        return known.vendor == vendor && known.base_and_sub_class == pci_class >> 8U;
    });
}

// The value behind "Name:" in the driver's information file.
std::string information_field(std::string_view information, std::string_view name) {
    for (const std::string_view line : split(information, '\n')) {
        if (line.starts_with(name) && line.substr(name.size()).starts_with(':')) {
            return std::string{trimmed(line.substr(name.size() + 1))};
        }
    }
    return {};
}

Gpu read_gpu(const Dir& root, const std::string& bdf, std::vector<ReadProblem>& problems) {
    Gpu gpu{};
    const std::string path = std::string{kPciDevices} + "/" + bdf;
    gpu.pci = pci_place_of_link(root.link(path.c_str()).value_or(std::string{}));
    gpu.pci.address = parse_pci_address(bdf);
    const Attributes attributes{root, "", problems};
    gpu.pci.numa_node = known_numa_node(attributes.number<int>((path + "/numa_node").c_str()));
    gpu.vendor_id = attributes.number<std::uint16_t>((path + "/vendor").c_str()).value_or(0);
    return gpu;
}

// capabilities/gpu0/mig/gi1/ci0: one folder for each GPU instance, in it one for each compute
// instance.
unsigned mig_instances(const Dir& root, unsigned minor) {
    const std::string folder =
        "proc/driver/nvidia/capabilities/gpu" + std::to_string(minor) + "/mig";
    unsigned count = 0;
    const auto instances = root.list(folder.c_str());
    for (const std::string& instance : instances.value_or(std::vector<std::string>{})) {
        if (!instance.starts_with("gi")) {
            continue;
        }
        const std::string path = joined({folder, instance}, "/");
        const auto parts = root.list(path.c_str());
        count += static_cast<unsigned>(
            std::ranges::count_if(parts.value_or(std::vector<std::string>{}),
                                  [](const std::string& it) { return it.starts_with("ci"); }));
    }
    return count;
}

std::vector<Gpu> nvidia_gpus(const Dir& root, const std::vector<std::string>& names,
                             std::vector<ReadProblem>& problems) {
    std::vector<Gpu> gpus;
    for (const std::string& name : names) {
        Gpu gpu = read_gpu(root, name, problems);
        const std::string path = std::string{kNvidiaGpus} + "/" + name + "/information";
        if (const auto information = root.text(path.c_str(), kAttributeLimit)) {
            gpu.minor = parse_number<unsigned>(information_field(*information, "Device Minor"));
            gpu.uuid = information_field(*information, "GPU UUID");
            gpu.mig_instances = gpu.minor ? mig_instances(root, *gpu.minor) : 0;
            gpu.model = information_field(*information, "Model");
        } else {
            problems.push_back(
                {path, information.error().code.value(), information.error().code.message()});
        }
        gpus.push_back(std::move(gpu));
    }
    return gpus;
}

std::vector<Gpu> gpus_by_class(const Dir& root, std::vector<ReadProblem>& problems) {
    std::vector<Gpu> gpus;
    const auto devices = root.sub(kPciDevices);
    const auto names = devices ? devices->list() : Result<std::vector<std::string>>{};
    if (!devices || !names) {
        return gpus;
    }
    const Attributes attributes{*devices, kPciDevices, problems};
    for (const std::string& name : *names) {
        const auto pci_class = attributes.number<std::uint32_t>((name + "/class").c_str());
        if (!pci_class || !may_be_gpu(*pci_class)) {
            continue;
        }
        Gpu gpu = read_gpu(root, name, problems);
        if (is_gpu(gpu.vendor_id, *pci_class)) {
            gpus.push_back(std::move(gpu));
        }
    }
    return gpus;
}

}  // namespace

std::vector<Gpu> read_gpus(const Dir& root, std::vector<ReadProblem>& problems) {
    const auto nvidia = root.list(kNvidiaGpus);
    std::vector<Gpu> gpus = nvidia && !nvidia->empty() ? nvidia_gpus(root, *nvidia, problems)
                                                       : gpus_by_class(root, problems);
    std::ranges::sort(gpus, [](const Gpu& a, const Gpu& b) {
        return std::tie(a.minor, a.pci.address) < std::tie(b.minor, b.pci.address);
    });
    return gpus;
}

}  // namespace ferrule
