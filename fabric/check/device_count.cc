#include "fabric/check/check_words.h"
#include "fabric/check/checks.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace ferrule {

namespace {

struct InstanceType {
    std::string_view product;
    unsigned efa_devices;
};

// Source: accelerated instance types in Amazon's documentation of EFA.
constexpr std::array kInstanceTypes{
    InstanceType{"p4d.24xlarge", 4},   InstanceType{"p4de.24xlarge", 4},
    InstanceType{"p5.48xlarge", 32},   InstanceType{"p5e.48xlarge", 32},
    InstanceType{"p5en.48xlarge", 16}, InstanceType{"p6-b200.48xlarge", 8},
    InstanceType{"g6.48xlarge", 1},
};

constexpr auto kStillStarting =
    "count again in some seconds, since devices may appear late; then look at the kernel's log";

void check_efa(const CheckInput& input, Findings& findings) {
    const auto devices =
        static_cast<unsigned>(std::ranges::count(input.snapshot.hcas, "efa", &Hca::driver));
    if (const auto wanted = input.profile.expected.efa_devices) {
        if (devices == *wanted) {
            findings.pass("node", fmt::format("{} EFA devices", devices));
        } else {
            findings.fail({"node", fmt::format("{} EFA devices", devices), std::to_string(*wanted),
                           rule_of(input.profile, "efa_devices"), kStillStarting});
        }
        return;
    }
    const auto* const type =
        std::ranges::find(kInstanceTypes, input.snapshot.host.product, &InstanceType::product);
    if (type == kInstanceTypes.end()) {
        return;
    }
    if (devices >= type->efa_devices) {
        findings.pass("node", fmt::format("{} EFA devices", devices));
        return;
    }
    // An instance may have been started with fewer network interfaces.
    findings.fail(
        {"node", fmt::format("{} EFA devices", devices), std::to_string(type->efa_devices),
         fmt::format("instance type {}", type->product),
         "start the instance with an EFA interface on every network card; if fewer are "
         "meant, say efa_devices in the profile"},
        devices == 0 ? Severity::Critical : Severity::Warning);
}

}  // namespace

void check_device_count(const CheckInput& input, Findings& findings) {
    if (const auto wanted = input.profile.expected.hcas) {
        const std::size_t devices = input.snapshot.hcas.size();
        if (wanted->contains(devices)) {
            findings.pass("node", fmt::format("{} RDMA devices", devices));
        } else {
            findings.fail({"node", fmt::format("{} RDMA devices", devices), to_text(*wanted),
                           rule_of(input.profile, "hcas"), kStillStarting});
        }
    }
    check_efa(input, findings);
    if (findings.empty()) {
        findings.not_applicable("node", "nothing says how many there should be");
    }
}

}  // namespace ferrule
