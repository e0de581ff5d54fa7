#include "spank/options.h"

#include "spank/guard.h"

#include <array>

namespace ferrule {

namespace {

// Slurm's structure takes `char*`, so these are arrays and not literals.
constinit std::array<char, 7> fabric_name{"fabric"};
constinit std::array<char, 14> fabric_values{"auto|off|tcp"};
constinit std::array<char, 108> fabric_usage{
    "network of the job's libraries: auto gives each node its own, off sets nothing, tcp leaves "
    "RDMA unused"};
constinit std::array<char, 15> explain_name{"fabric-explain"};
constinit std::array<char, 90> explain_usage{
    "print on each node's standard error what network was chosen, and why"};

constinit OptionHandler handler_of_session = nullptr;

int take(Option option, const char* value, int remote) noexcept {
    bool accepted = true;
    guard("option", [&] { accepted = handler_of_session(option, value); });
    // What srun let pass must not end the step on a node.
    return accepted || remote != 0 ? 0 : -1;
}

int take_fabric(int, const char* value, int remote) {
    return take(Option::Fabric, value, remote);
}

int take_explain(int, const char* value, int remote) {
    return take(Option::FabricExplain, value, remote);
}

}  // namespace

void register_options(spank_t spank, OptionHandler handler) {
    const spank_context_t context = spank_context();
    if (context != S_CTX_LOCAL && context != S_CTX_ALLOCATOR && context != S_CTX_REMOTE) {
        return;
    }
    handler_of_session = handler;
    spank_option fabric{fabric_name.data(), fabric_values.data(), fabric_usage.data(), 1, 0,
                        take_fabric};
    spank_option explain{explain_name.data(), nullptr, explain_usage.data(), 0, 0, take_explain};
    if (spank_option_register(spank, &fabric) != ESPANK_SUCCESS ||
        spank_option_register(spank, &explain) != ESPANK_SUCCESS) {
        log_failure(context, "options", "another plugin has one of the same name");
    }
}

}  // namespace ferrule
