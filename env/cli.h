// The command line of ferrule-env.
#pragma once

#include "fabric/model/nccl_version.h"
#include "fabric/model/plan.h"

#include <optional>
#include <string>
#include <vector>

namespace ferrule {

enum class Output { Shell, Json, Explain, Snapshot, Lint };

struct EnvOptions {
    std::string sysroot{"/"};
    // Empty: the default file, which may be absent.
    std::string config{};
    std::string node{};
    // Absent: what Slurm's variables say.
    std::optional<std::string> gpus{};
    // Names and addresses, expanded.
    std::vector<std::string> peers{};
    std::optional<NcclVersion> nccl{};
    FabricMode mode{FabricMode::Auto};
    Output output{Output::Shell};
    bool fresh{false};
};

// Options, or the exit status when there is nothing more to do (help and version: 0, misuse: 2).
struct CommandLine {
    std::optional<EnvOptions> options{};
    int exit_status{0};
};

[[nodiscard]] CommandLine parse_command_line(int argc, char** argv);

}  // namespace ferrule
