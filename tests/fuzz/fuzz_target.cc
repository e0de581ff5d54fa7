// One fuzz target a parser: FERRULE_FUZZ_TARGET in the environment chooses it, so that each has a
// corpus of its own. A target must survive any bytes; what more it promises is asserted here.
#include "fabric/archive/archive.h"
#include "fabric/archive/scrub.h"
#include "fabric/model/gid.h"
#include "fabric/model/guid.h"
#include "fabric/model/hostlist.h"
#include "fabric/model/ip.h"
#include "fabric/model/library_variable.h"
#include "fabric/model/link_rate.h"
#include "fabric/model/pci.h"
#include "fabric/model/port_state.h"
#include "fabric/model/profile.h"
#include "fabric/nccl/simulation.h"
#include "fabric/policy/environment.h"
#include "fabric/policy/job_gpus.h"
#include "fabric/policy/lint.h"
#include "fabric/policy/ownership.h"
#include "fabric/policy/visible_hcas.h"
#include "fabric/read/dcb.h"
#include "fabric/read/ethtool_netlink.h"
#include "fabric/read/ethtool_statistics.h"
#include "fabric/read/host_files.h"
#include "fabric/read/host_state.h"
#include "fabric/read/ip_text.h"
#include "fabric/read/lldp.h"
#include "fabric/read/lldpd_json.h"
#include "fabric/read/netlink_file.h"
#include "fabric/read/pci_config.h"
#include "fabric/read/pci_health.h"
#include "fabric/read/rtnetlink.h"
#include "fabric/read/settings.h"
#include "fabric/read/verbs_text.h"
#include "fabric/state/history_text.h"
#include "tests/support/state.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <span>
#include <string>
#include <string_view>

namespace {

using namespace ferrule;

void require(bool holds) {
    if (!holds) {
        std::abort();
    }
}

void settings(std::string_view text) {
    const auto parsed = parse_settings("ferrule.conf", text);
    require(parsed || parsed.error().text.starts_with("ferrule.conf:"));
}

void hostlist(std::string_view text) {
    const auto names = parse_hostlist(text);
    require(!names || names->size() <= kMostHosts);
}

void values(std::string_view text) {
    const auto gid = parse_gid(text);
    require(!gid || parse_gid(to_text(*gid)) == gid);
    const auto address = parse_pci_address(text);
    require(!address || parse_pci_address(to_text(*address)) == address);
    const auto rate = parse_link_rate(text);
    require(!rate || parse_link_rate(to_text(*rate)) == rate);
    const auto prefix = parse_prefix(text);
    require(!prefix || parse_prefix(to_text(*prefix)) == prefix);
    (void)parse_guid(text);
    (void)parse_port_state(text);
    (void)parse_rail_selector(text);
    (void)pci_place_of_link(text);
    (void)parse_nccl_version(text);
}

void marker(std::string_view text) {
    const Environment owned = parse_marker(text);
    require(parse_marker(to_marker(owned)) == owned);
    (void)parse_job_gpus(text, {Gpu{}, Gpu{}});
}

void ip_text(std::string_view text) {
    (void)parse_ip_address(text);
    for (const Route& route : parse_ip_route(text)) {
        require(!route.netdev.empty());
    }
}

void rtnetlink(std::string_view text) {
    const auto bytes = std::as_bytes(std::span{text.data(), text.size()});
    (void)decode_addresses(bytes);
    (void)decode_routes(bytes, RouteTable::Main);
    (void)decode_routes(bytes, RouteTable::Any);
    std::vector<std::byte> copy{bytes.begin(), bytes.end()};
    require(parse_hex_lines(hex_lines(bytes)).value() == copy);
    (void)rewrite_addresses(copy, [](const IpAddress& address) { return address; });
    (void)parse_hex_lines(text);
}

void dcb(std::string_view text) {
    const auto state = decode_dcb(std::as_bytes(std::span{text.data(), text.size()}));
    require(state || !state.error().text.empty());
    if (state) {
        (void)trust_of(*state);
        (void)priority_of_dscp(state->applications.value_or(std::vector<AppEntry>{}));
    }
}

// Statistics that read do so again.
void ethtool(std::string_view text) {
    const auto bytes = std::as_bytes(std::span{text.data(), text.size()});
    for (const EthtoolQuestion question : kEthtoolQuestions) {
        (void)decode_ethtool(bytes, question, {});
    }
    (void)decode_ethtool_family(bytes);
    if (const auto counters = parse_statistics(text)) {
        require(parse_statistics(format_statistics(*counters)).value() == *counters);
    }
    const std::vector<std::uint64_t> values(bytes.size() / kStatisticNameSize, 1);
    const auto named = counters_of(bytes.first(values.size() * kStatisticNameSize), values).value();
    require(parse_statistics(format_statistics(named)).value() == named);
}

void lldp(std::string_view text) {
    const auto neighbour = decode_lldp(std::as_bytes(std::span{text.data(), text.size()}));
    require(!neighbour || neighbour->ttl_seconds > 0);
    (void)parse_lldpd_json(text);
}

// The plain bytes of a configuration space say what all of them do.
void pci_config(std::string_view text) {
    const auto bytes = std::as_bytes(std::span{text.data(), text.size()});
    const PciConfig config = decode_pci_config(bytes);
    const auto plain = plain_pci_config(bytes);
    require(decode_pci_config(plain) == config);
    require(plain_pci_config(plain) == plain);
    (void)parse_aer_total(text);
    (void)parse_uptime(text);
    const auto file = sysctl_file(text);
    require(!file || file->find("/../") == std::string::npos);
    const auto answer = parse_verbs(text);
    require(!answer || parse_verbs(to_text(*answer)).value() == *answer);
}

// The text with the frame and the check sum of a history, which no chance finds.
std::string framed_history(std::string_view body) {
    const std::string text = "ferrule-history 1\n" + std::string{body} + "\n";
    std::uint64_t sum = 0xcbf29ce484222325;
    for (const char letter : text) {
        sum = (sum ^ static_cast<unsigned char>(letter)) * 0x100000001b3;
    }
    std::array<char, 17> digits{};
    std::snprintf(digits.data(), digits.size(), "%016llx", static_cast<unsigned long long>(sum));
    return text + "end\t" + digits.data() + "\n";
}

void history(std::string_view text) {
    for (const std::string& whole : {std::string{text}, framed_history(text)}) {
        const auto parsed = parse_history(whole);
        if (parsed) {
            require(parse_history(to_text(*parsed)).value() == *parsed);
        }
    }
}

// What an archive holds reads back.
void archive(std::string_view text) {
    const Scrubber scrubber{"node7", 1};
    (void)scrubber.text(text);
    (void)parse_nccl_conf(text);
    (void)parse_memlock(text);
    const auto parsed = parse_archive(text);
    if (!parsed) {
        require(parsed.error().text.starts_with("line "));
        return;
    }
    const auto again = parse_archive(to_text(*parsed));
    require(again.has_value());
}

// A node with one of everything, for values that a user may set.
const NodeSnapshot& node() {
    static const NodeSnapshot snapshot = [] {
        using namespace ferrule::testing;
        NodeSnapshot it{};
        it.rdma_class = true;
        it.hcas = {infiniband("mlx5_0", "0000:18:00.0"), roce("mlx5_1", "0000:29:00.0", "10.1.0.5"),
                   roce("mlx5_10", "0000:40:00.0", "10.2.0.5")};
        it.netdevs = {netdev("lo", "127.0.0.1"), netdev("eno1", "10.77.0.11"),
                      netdev("eno1.7", "10.78.0.11")};
        it.routes = {route("0.0.0.0/0", "eno1")};
        return it;
    }();
    return snapshot;
}

// Lines NAME=VALUE as an environment, every grammar of which is then read.
void user_values(std::string_view text) {
    Environment environment;
    for (const auto& [name, value] : parse_nccl_conf(text)) {
        environment[name] = value;
        (void)variable_meant_by(name);
    }
    static const EnvPlan plan = plan_environment(node(), {}, {});
    for (const NcclVersion& version : {NcclVersion{2, 8, 3}, NcclVersion{2, 30, 7}}) {
        (void)lint_environment({node(), plan, environment, version}, {});
        (void)simulate_nccl(node(), environment, version);
    }
    (void)visible_rails(choose_rails(node(), {}), node(), text);
}

struct Target {
    std::string_view name;
    void (*take)(std::string_view);
};

constexpr std::array kTargets{
    Target{"settings", settings},
    Target{"hostlist", hostlist},
    Target{"values", values},
    Target{"marker", marker},
    Target{"ip_text", ip_text},
    Target{"rtnetlink", rtnetlink},
    Target{"dcb", dcb},
    Target{"ethtool", ethtool},
    Target{"lldp", lldp},
    Target{"pci_config", pci_config},
    Target{"history", history},
    Target{"archive", archive},
    Target{"user_values", user_values},
};

const Target& chosen() {
    const char* const name = std::getenv("FERRULE_FUZZ_TARGET");
    const auto target = std::ranges::find(kTargets, name == nullptr ? "" : name, &Target::name);
    if (target == kTargets.end()) {
        std::fputs("FERRULE_FUZZ_TARGET must name a target of fuzz_target.cc\n", stderr);
        std::exit(EXIT_FAILURE);
    }
    return *target;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const Target& target = chosen();
    target.take(std::string_view{reinterpret_cast<const char*>(data), size});
    return 0;
}
