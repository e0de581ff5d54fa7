// A GPU as PCI and its driver show it. No GPU library is asked.
#pragma once

#include "fabric/model/pci.h"

#include <cstdint>
#include <optional>
#include <string>

namespace ferrule {

struct Gpu {
    PciPlace pci{};
    std::uint16_t vendor_id{0};
    // The number in /dev/nvidiaN, which is what Slurm counts; absent without NVIDIA's driver.
    std::optional<unsigned> minor{};
    // "GPU-1f0c..."; empty without NVIDIA's driver.
    std::string uuid{};
    // MIG compute instances, each of which Slurm counts as a GPU; 0 where it is not divided.
    unsigned mig_instances{0};
    std::string model{};

    bool operator==(const Gpu&) const = default;
};

}  // namespace ferrule
