#include "fabric/isolate/health_reader.h"

#include "fabric/base/text.h"
#include "fabric/isolate/children.h"
#include "fabric/isolate/wire.h"
#include "fabric/read/ethernet.h"
#include "fabric/read/gpus.h"
#include "fabric/read/host_files.h"
#include "fabric/read/host_state.h"
#include "fabric/read/lldp.h"
#include "fabric/read/lldp_socket.h"
#include "fabric/read/netdevs.h"
#include "fabric/read/rdma.h"
#include "fabric/read/rdma_functions.h"
#include "fabric/read/verbs.h"
#include "fabric/read/verbs_text.h"
#include "fabric/read/ways.h"

#include <algorithm>
#include <cerrno>
#include <exception>
#include <map>

namespace ferrule {

namespace {

constexpr const char* kRdmaClass = "sys/class/infiniband";
constexpr const char* kNetClass = "sys/class/net";

constexpr const char* kAddresses = "addresses and routes";

struct Context {
    Dir root;
    std::string root_path;
    Source source;
    const HealthRequest& request;
};

bool is_virtual(const Dir& root, const std::string& netdev) {
    const auto link = root.link((std::string{kNetClass} + "/" + netdev).c_str());
    return link && link->find("/virtual/") != std::string::npos;
}

// All but devices: no driver is asked here.
Piece read_rest(const Context& context, StepBoard& board) {
    Piece piece{};
    NodeSnapshot& node = piece.node;
    board.now("the host");
    node.hostname = context.root.attribute("proc/sys/kernel/hostname").value_or(std::string{});
    node.kernel = context.root.attribute("proc/sys/kernel/osrelease").value_or(std::string{});
    node.rdma_class = context.root.exists(kRdmaClass);
    if (!node.rdma_class) {
        node.infiniband_functions = count_infiniband_functions(context.root);
    }
    node.host = read_host_state(context.root, context.request.read.sysctls, node.problems);
    read_host_files(context.root, node);
    board.now("PCI functions");
    node.rdma_functions = read_rdma_functions(context.root, node.problems);
    board.now("GPUs");
    node.gpus = read_gpus(context.root, node.problems);
    board.now("interfaces");
    // What is left of one whose driver hangs.
    node.netdevs = read_kept_netdevs(context.root, node.problems);
    return piece;
}

// The kernel takes the lock for them that a driver may hold which hangs.
Piece read_addresses(const Context& context, StepBoard& board) {
    Piece piece{};
    board.now(kAddresses);
    // Names and numbers of interfaces are enough to say whose an address is.
    piece.node.netdevs = read_netdevs(context.root, Depth::Plan, piece.problems);
    read_ways(context.root, context.source, context.request.read, piece.node);
    return piece;
}

Piece read_device(const Context& context, const std::string& name, StepBoard& board) {
    Piece piece{};
    board.now("sysfs of " + name);
    Hca hca = read_hca(context.root, name, context.request.read, piece.problems);
    board.now("verbs of " + name);
    if (context.source == Source::Live) {
        ask_verbs(hca);
    } else {
        read_captured_verbs(context.root, hca, piece.problems);
    }
    piece.hcas.push_back(std::move(hca));
    return piece;
}

Piece read_interface(const Context& context, const std::string& name, StepBoard& board) {
    Piece piece{};
    board.now("sysfs of " + name);
    Netdev netdev = read_netdev(context.root, name, Depth::Health, piece.problems);
    board.now("ethtool and DCB of " + name);
    read_ethernet(context.root, context.source, netdev, piece.problems);
    piece.netdevs.push_back(std::move(netdev));
    return piece;
}

// Those without a driver of their own.
Piece read_interfaces(const Context& context, const std::vector<std::string>& names,
                      StepBoard& board) {
    Piece piece{};
    for (const std::string& name : names) {
        board.now("sysfs of " + name);
        piece.netdevs.push_back(read_netdev(context.root, name, Depth::Health, piece.problems));
    }
    return piece;
}

Piece hear_switches(const Context& context, const std::vector<std::string>& names,
                    StepBoard& board) {
    Piece piece{};
    board.now("LLDP");
    const auto frames = listen_for_lldp(names, Deadline{context.request.lldp});
    if (!frames) {
        piece.problems.push_back({"lldp", frames.error().code.value(), frames.error().text});
        return piece;
    }
    for (const auto& [name, frame] : *frames) {
        auto neighbour = decode_lldp(frame);
        Netdev netdev{};
        netdev.name = name;
        if (neighbour) {
            netdev.lldp = std::move(*neighbour);
            piece.netdevs.push_back(std::move(netdev));
        } else {
            piece.problems.push_back(
                {"lldp " + name, neighbour.error().code.value(), neighbour.error().text});
        }
    }
    return piece;
}

// The child opens the root anew.
template <typename Work>
Job job_of(const Context& parent, std::string name, const Work& work,
           std::chrono::milliseconds patience) {
    return {std::move(name),
            [&parent, work](StepBoard& board) {
                const Context context{Dir::open(parent.root_path).value(), parent.root_path,
                                      parent.source, parent.request};
                return to_bytes(work(context, board));
            },
            patience};
}

struct Plan {
    std::vector<std::string> hcas{};
    // Interfaces that have a driver of their own to ask.
    std::vector<std::string> drivers{};
    // Where cables of RDMA ports end, so that nobody waits for the switch of another network. A
    // bond has its members.
    std::vector<std::string> cables{};
    std::vector<std::string> others{};
    std::vector<Job> jobs{};
};

bool is_bond(const Dir& root, const std::string& netdev) {
    return root.exists((std::string{kNetClass} + "/" + netdev + "/bonding").c_str());
}

std::string master_of(const Dir& root, const std::string& netdev) {
    const std::string link =
        root.link((std::string{kNetClass} + "/" + netdev + "/master").c_str()).value_or("");
    return link.substr(link.rfind('/') + 1);
}

void sort_netdevs(const Context& context, std::vector<ReadProblem>& problems, Plan& plan) {
    const auto stand_on = rdma_netdevs(context.root);
    const auto is_rdma = [&](const std::string& name) {
        return std::ranges::count(stand_on, name) > 0;
    };
    for (const std::string& name : netdev_names(context.root, problems)) {
        const bool bond = is_bond(context.root, name);
        const bool own = bond || is_rdma(name) || !is_virtual(context.root, name);
        (own ? plan.drivers : plan.others).push_back(name);
        if (!bond && (is_rdma(name) || is_rdma(master_of(context.root, name)))) {
            plan.cables.push_back(name);
        }
    }
}

Plan plan_jobs(const Context& context, std::vector<ReadProblem>& problems) {
    Plan plan{};
    plan.hcas = context.root.exists(kRdmaClass) ? hca_names(context.root, problems)
                                                : std::vector<std::string>{};
    sort_netdevs(context, problems, plan);
    const auto patience = context.request.patience;
    plan.jobs.push_back(job_of(context, "node", read_rest, context.request.node_patience));
    const auto add = [&](std::string name, const auto& work) {
        plan.jobs.push_back(job_of(context, std::move(name), work, patience));
    };
    add(kAddresses, read_addresses);
    for (const std::string& name : plan.hcas) {
        add(name, [name](const Context& c, StepBoard& b) { return read_device(c, name, b); });
    }
    for (const std::string& name : plan.drivers) {
        add(name, [name](const Context& c, StepBoard& b) { return read_interface(c, name, b); });
    }
    if (!plan.others.empty()) {
        add("virtual interfaces", [names = plan.others](const Context& c, StepBoard& b) {
            return read_interfaces(c, names, b);
        });
    }
    if (context.request.lldp.count() > 0 && context.source == Source::Live) {
        const auto hear = [names = plan.cables](const Context& c, StepBoard& b) {
            return hear_switches(c, names, b);
        };
        plan.jobs.push_back(job_of(context, "lldp", hear, patience + context.request.lldp));
    }
    return plan;
}

// Puts one piece into the whole; addresses and frames come on their own.
class Assembly {
  public:
    explicit Assembly(NodeSnapshot& whole) : whole_{whole} {}

    void take(Piece piece) {
        for (Hca& hca : piece.hcas) {
            whole_.hcas.push_back(std::move(hca));
        }
        for (Netdev& netdev : piece.netdevs) {
            take_netdev(std::move(netdev));
        }
        for (Netdev& netdev : piece.node.netdevs) {
            take_addresses(std::move(netdev));
        }
        std::ranges::move(piece.node.routes, std::back_inserter(whole_.routes));
        std::ranges::move(piece.node.problems, std::back_inserter(whole_.problems));
        std::ranges::move(piece.problems, std::back_inserter(whole_.problems));
    }

  private:
    void take_addresses(Netdev netdev) {
        const auto known = std::ranges::find(whole_.netdevs, netdev.name, &Netdev::name);
        if (known != whole_.netdevs.end()) {
            known->addresses = std::move(netdev.addresses);
        }
    }

    void take_netdev(Netdev netdev) {
        const auto known = std::ranges::find(whole_.netdevs, netdev.name, &Netdev::name);
        if (known == whole_.netdevs.end()) {
            whole_.netdevs.push_back(std::move(netdev));
        } else if (netdev.lldp && netdev.ifindex == 0) {
            known->lldp = std::move(netdev.lldp);
        } else {
            netdev.addresses = std::move(known->addresses);
            if (!netdev.lldp) {
                netdev.lldp = std::move(known->lldp);
            }
            *known = std::move(netdev);
        }
    }

    NodeSnapshot& whole_;
};

// What is known of an RDMA device without asking its driver.
Hca stub_of(const Dir& root, const std::string& name) {
    Hca hca{};
    hca.name = name;
    const auto link = root.link((std::string{kRdmaClass} + "/" + name).c_str());
    hca.pci = pci_place_of_link(link.value_or(std::string{}));
    return hca;
}

void note_silence(const Context& context, const Plan& plan, std::size_t job,
                  const JobResult& result, NodeSnapshot& whole) {
    const bool busy = result.end == JobEnd::Busy;
    const bool in_kernel = result.end == JobEnd::HungInKernel;
    if (result.end == JobEnd::Broken || result.end == JobEnd::NotStarted) {
        const std::string step = result.step.empty() ? "its start" : result.step;
        whole.hung.push_back({result.name, step, 0, false, {}, true});
    } else {
        whole.hung.push_back({result.name, result.step,
                              static_cast<unsigned>(plan.jobs[job].patience.count()), in_kernel,
                              result.waits_at, busy});
    }
    if (result.name == kAddresses) {
        whole.problems.push_back({"rtnetlink addresses", ETIMEDOUT, "no answer in time"});
    }
    if (std::ranges::count(plan.hcas, result.name) > 0) {
        whole.hcas.push_back(stub_of(context.root, result.name));
    }
}

std::optional<Piece> piece_or_nothing(const JobResult& result) {
    if (result.end != JobEnd::Answered) {
        return std::nullopt;
    }
    try {
        return piece_of(result.answer);
    } catch (const std::exception&) {
        return std::nullopt;
    }
}

}  // namespace

Result<NodeSnapshot> read_health(const std::string& root_path, Source source,
                                 const HealthRequest& given) {
    HealthRequest request = given;
    request.read.depth = Depth::Health;
    Dir root = TRY(Dir::open(root_path));
    if (!root.exists("sys/class")) {
        return fail(std::errc::invalid_argument,
                    root_path + ": no tree of a node: sys/class is not in it");
    }
    const Context context{std::move(root), root_path, source, request};
    std::vector<ReadProblem> problems;
    const Plan plan = plan_jobs(context, problems);
    const auto results = run_jobs(plan.jobs);
    auto rest = piece_or_nothing(results.front());
    if (!rest) {
        return fail(std::errc::timed_out,
                    "the node could not be read; its reader ended at: " + results.front().step);
    }
    NodeSnapshot whole = std::move(rest->node);
    std::ranges::move(problems, std::back_inserter(whole.problems));
    Assembly assembly{whole};
    for (std::size_t i = 1; i < results.size(); ++i) {
        if (auto piece = piece_or_nothing(results[i])) {
            assembly.take(std::move(*piece));
        } else {
            note_silence(context, plan, i, results[i], whole);
        }
    }
    std::ranges::sort(whole.hcas, natural_less, &Hca::name);
    return whole;
}

}  // namespace ferrule
