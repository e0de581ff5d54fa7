#include "fabric/base/text.h"
#include "fabric/check/check_words.h"
#include "fabric/check/checks.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace ferrule {

namespace {

struct VendorModule {
    std::uint16_t vendor;
    std::string_view module;
};

constexpr std::array kRdmaModules{VendorModule{0x15b3, "mlx5_ib"}, VendorModule{0x14e4, "bnxt_re"},
                                  VendorModule{0x8086, "irdma"}, VendorModule{0x1d0f, "efa"},
                                  VendorModule{0x1dd8, "ionic_rdma"}};

std::string module_for(const NodeSnapshot& snapshot) {
    for (const RdmaFunction& function : snapshot.rdma_functions) {
        const auto* const row =
            std::ranges::find(kRdmaModules, function.vendor_id, &VendorModule::vendor);
        if (row != kRdmaModules.end()) {
            return std::string{row->module};
        }
    }
    return "the RDMA module of the adapter";
}

bool is_loaded(const NodeSnapshot& snapshot, std::string name) {
    std::ranges::replace(name, '-', '_');
    return std::ranges::count(snapshot.host.modules, name) > 0;
}

// Adapters that have no use but RDMA; an Ethernet adapter may do without.
std::size_t made_for_rdma(const NodeSnapshot& snapshot) {
    constexpr std::uint16_t kAmazon = 0x1d0f;
    return snapshot.infiniband_functions +
           static_cast<std::size_t>(
               std::ranges::count(snapshot.rdma_functions, kAmazon, &RdmaFunction::vendor_id));
}

void check_class(const CheckInput& input, Findings& findings) {
    const NodeSnapshot& snapshot = input.snapshot;
    const std::size_t adapters =
        std::max<std::size_t>(snapshot.rdma_functions.size(), snapshot.infiniband_functions);
    if (snapshot.rdma_class || adapters == 0) {
        findings.pass("node", snapshot.rdma_class ? "the RDMA class is there" : "no RDMA adapter");
        return;
    }
    const bool ruled = !input.profile.rails.empty();
    if (!ruled && made_for_rdma(snapshot) == 0) {
        findings.not_applicable("node", fmt::format("{} adapters that could do RDMA, and no RDMA "
                                                    "class; no profile names rails",
                                                    adapters));
        return;
    }
    findings.fail({"node", fmt::format("{} adapters on PCI, no sys/class/infiniband", adapters),
                   "an RDMA device for each",
                   ruled ? rule_of(input.profile, "rails") : "adapters have their driver",
                   fmt::format("load {} (on Ubuntu it comes with linux-modules-extra)",
                               module_for(snapshot))});
}

}  // namespace

void check_kernel_modules(const CheckInput& input, Findings& findings) {
    check_class(input, findings);
    for (const std::string& name : input.profile.expected.modules) {
        if (input.snapshot.host.modules.empty()) {
            findings.unknown("node", name + ": the list of modules could not be read");
        } else if (is_loaded(input.snapshot, name)) {
            findings.pass("node", name + " is loaded");
        } else {
            findings.fail({"node", name + " is not loaded", name, rule_of(input.profile, "modules"),
                           "modprobe " + name});
        }
    }
}

}  // namespace ferrule
