#include "fabric/check/check_words.h"
#include "fabric/check/checks.h"

#include <algorithm>
#include <array>

namespace ferrule {

namespace {

bool is_loaded(const NodeSnapshot& snapshot, std::string_view module) {
    return std::ranges::count(snapshot.host.modules, module) > 0;
}

bool has_peermem(const NodeSnapshot& snapshot) {
    constexpr std::array<std::string_view, 4> kModules{"nvidia_peermem", "nv_peer_mem", "amdgpu",
                                                       "ib_peer_mem"};
    return std::ranges::any_of(
        kModules, [&](std::string_view module) { return is_loaded(snapshot, module); });
}

}  // namespace

void check_gpudirect(const CheckInput& input, Findings& findings) {
    const auto& wanted = input.profile.expected.gpudirect;
    if (input.snapshot.gpus.empty() || input.scope.ports.empty()) {
        findings.not_applicable("node", "no GPU, or no rail");
    } else if (has_peermem(input.snapshot)) {
        findings.pass("node", "peer memory is loaded");
    } else if (input.snapshot.host.modules.empty()) {
        findings.unknown("node", "the list of modules could not be read");
    } else if (wanted == GpuDirect::Peermem) {
        findings.fail({"node", "nvidia_peermem is not loaded", "nvidia_peermem",
                       rule_of(input.profile, "gpudirect"), "modprobe nvidia_peermem"});
    } else {
        // The open driver shares memory as dma-buf without any module, which sysfs does not show.
        findings.not_applicable("node", "no peer memory module; dma-buf may serve in its place");
    }
}

}  // namespace ferrule
