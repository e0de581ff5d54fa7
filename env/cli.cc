#include "env/cli.h"

#include "fabric/base/version.h"
#include "fabric/model/hostlist.h"

#include <CLI/CLI.hpp>

#include <array>
#include <iostream>

namespace ferrule {

namespace {

constexpr const char* kDescription =
    "Prints the environment that gives NCCL, UCX, NVSHMEM, PyTorch, MPI and libfabric the right\n"
    "fabric on this node.\n"
    "Evaluate it in a shell:  eval \"$(ferrule-env)\"";

constexpr const char* kFooter =
    "Your own values win: a variable that you set yourself is left alone and shown as a comment.\n"
    "Exit status: 0 done, 1 the node or the configuration could not be read, 2 misuse,\n"
    "3 --lint found something.\n"
    "See ferrule-env(1) and ferrule.conf(5).";

std::string check_mode(std::string& text) {
    return parse_fabric_mode(text) ? std::string{} : "give auto, off or tcp";
}

std::string check_version(std::string& text) {
    return parse_nccl_version(text) ? std::string{} : "give a version such as 2.21 or 2.21.5";
}

struct OutputFlag {
    const char* name;
    Output output;
    const char* help;
};

constexpr std::array kOutputs{
    OutputFlag{"--json", Output::Json, "The plan as JSON"},
    OutputFlag{"--explain", Output::Explain,
               "One line for each port, interface and variable, and what NCCL makes of it"},
    OutputFlag{"--lint", Output::Lint,
               "What is wrong with the values in the present environment and in /etc/nccl.conf"},
    OutputFlag{"--snapshot", Output::Snapshot, "All that was read of the node, as JSON"},
};

// One of them at most.
void add_outputs(CLI::App& app, Output& output) {
    CLI::Option_group* const group = app.add_option_group("Output");
    for (const OutputFlag& flag : kOutputs) {
        group->add_flag_callback(flag.name, [&output, &flag] { output = flag.output; }, flag.help);
    }
    group->require_option(0, 1);
}

std::string check_peers(std::string& text) {
    const auto names = parse_hostlist(text);
    return names ? std::string{} : names.error().text;
}

// Slurm's numbers and ranges, or UUIDs.
std::string check_gpus(std::string& text) {
    constexpr std::string_view kPlain =
        "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-,";
    return text.find_first_not_of(kPlain) == std::string::npos ? std::string{}
                                                               : "give a list such as 0,1 or 0-3";
}

// All errors in one line that begins with the program's name.
std::string failure(const CLI::App*, const CLI::Error& error) {
    return std::string{"ferrule-env: "} + error.what() + "; see ferrule-env --help\n";
}

}  // namespace

CommandLine parse_command_line(int argc, char** argv) {
    CLI::App app{kDescription, "ferrule-env"};
    app.footer(kFooter);
    app.failure_message(failure);
    app.set_version_flag("--version", std::string{"ferrule-env "} + kVersion);
    EnvOptions options{};
    std::string mode = "auto";
    std::string nccl;
    std::string gpus;
    std::string peers;
    app.add_option("--sysroot", options.sysroot, "Read a captured tree in place of this node")
        ->type_name("DIR");
    app.add_option("--config", options.config,
                   "Configuration (default /etc/ferrule/ferrule.conf, if there is one)")
        ->type_name("FILE");
    app.add_option("--node", options.node, "Name of the node, to find its profile")
        ->type_name("NAME");
    auto* const gpus_option =
        app.add_option("--gpus", gpus, "GPUs of the job, as Slurm counts them: 0,1 or 0-3")
            ->type_name("LIST")
            ->check(CLI::Validator{check_gpus, "", ""});
    app.add_option("--peers", peers,
                   "Other nodes of the job: a hostlist, names known to /etc/hosts, or addresses")
        ->type_name("HOSTLIST")
        ->check(CLI::Validator{check_peers, "", ""});
    app.add_option("--nccl", nccl, "Oldest NCCL that the job loads")
        ->type_name("VERSION")
        ->check(CLI::Validator{check_version, "", ""});
    app.add_option("--fabric", mode, "auto, off or tcp, as srun's --fabric")
        ->type_name("MODE")
        ->check(CLI::Validator{check_mode, "", ""});
    app.add_flag("--fresh", options.fresh, "Ignore the values in the present environment");
    add_outputs(app, options.output);
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        constexpr int kMisuse = 2;
        return {{}, app.exit(error, std::cout, std::cerr) == 0 ? 0 : kMisuse};
    }
    options.mode = parse_fabric_mode(mode).value_or(FabricMode::Auto);
    options.nccl = parse_nccl_version(nccl);
    options.peers = parse_hostlist(peers).value_or(std::vector<std::string>{});
    if (*gpus_option) {
        options.gpus = gpus;
    }
    return {options, 0};
}

}  // namespace ferrule
