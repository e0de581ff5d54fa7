// Laws that hold for every value, node and environment.
#include "fabric/base/text.h"
#include "fabric/model/hostlist.h"
#include "fabric/nccl/gid_rule.h"
#include "fabric/policy/environment.h"
#include "fabric/policy/forecast.h"
#include "fabric/policy/gid_policy.h"
#include "fabric/policy/gpu_rails.h"
#include "fabric/policy/lint.h"
#include "fabric/policy/ownership.h"
#include "fabric/policy/rails.h"
#include "fabric/render/shell.h"
#include "tests/support/applied.h"
#include "tests/support/catch.h"

#include <algorithm>
#include <random>

// After it, since it needs the names above.
#include "tests/property/generators.h"

using namespace ferrule;
using namespace ferrule::testing;

namespace {

void law(const std::string& name, const std::function<void()>& holds) {
    INFO(name);
    CHECK(rc::check(name, holds));
}

}  // namespace

TEST_CASE("what is printed reads back as the same value") {
    law("GID", [] {
        const Gid gid = *rc::gen::arbitrary<Gid>();
        RC_ASSERT(parse_gid(to_text(gid)) == gid);
    });
    law("GUID", [] {
        const Guid guid{*rc::gen::arbitrary<std::uint64_t>()};
        RC_ASSERT(parse_guid(to_text(guid)) == guid);
    });
    law("P_Key", [] {
        const Pkey pkey{*rc::gen::arbitrary<std::uint16_t>()};
        RC_ASSERT(parse_pkey(to_text(pkey)) == pkey);
    });
    law("PCI address", [] {
        const PciAddress address = *any_pci_address();
        RC_ASSERT(parse_pci_address(to_text(address)) == address);
    });
    law("IP address and prefix", [] {
        const IpAddress address = *any_ip();
        RC_ASSERT(parse_ip(to_text(address)) == address);
        const IpPrefix prefix = prefix_of(address, *rc::gen::inRange(0U, address.bits() + 1));
        RC_ASSERT(parse_prefix(to_text(prefix)) == prefix);
        RC_ASSERT(prefix.contains(address));
    });
    law("rate", [] {
        const LinkRate rate{
            *rc::gen::inRange(0U, 20000U), *rc::gen::inRange(1U, 13U),
            *rc::gen::elementOf(std::vector<std::string>{"", "SDR", "NDR", "FDR10"})};
        RC_ASSERT(parse_link_rate(to_text(rate)) == rate);
    });
    law("marker", [] {
        const auto names = *rc::gen::container<std::vector<std::string>>(
            rc::gen::nonEmpty(rc::gen::container<std::string>(rc::gen::inRange('A', 'Z'))));
        Environment owned;
        for (const std::string& name : names) {
            owned[name] = *rc::gen::arbitrary<std::string>();
        }
        RC_ASSERT(parse_marker(to_marker(owned)) == owned);
    });
}

TEST_CASE("no text makes a parser fail in any other way than by saying no") {
    law("parsers", [] {
        const auto text = *rc::gen::arbitrary<std::string>();
        (void)parse_hostlist(text);
        (void)parse_gid(text);
        (void)parse_pci_address(text);
        (void)parse_link_rate(text);
        (void)parse_marker(text);
        (void)parse_rail_selector(text);
        (void)pci_place_of_link(text);
    });
}

TEST_CASE("a hostlist of numbers has as many names as numbers") {
    law("hostlist", [] {
        const auto first = *rc::gen::inRange(0, 5000);
        const auto count = *rc::gen::inRange(1, 500);
        const auto names = parse_hostlist("n[" + std::to_string(first) + "-" +
                                          std::to_string(first + count - 1) + "]");
        RC_ASSERT(names.has_value());
        RC_ASSERT(names->size() == static_cast<std::size_t>(count));
        RC_ASSERT(names->front() == "n" + std::to_string(first));
    });
}

TEST_CASE("the order in which devices were read never changes the choice") {
    law("order", [] {
        const NodeSnapshot snapshot = *any_node();
        NodeSnapshot shuffled = snapshot;
        std::ranges::shuffle(shuffled.hcas, std::mt19937{*rc::gen::arbitrary<std::uint32_t>()});
        RC_ASSERT(choose_rails(snapshot, {}).verdicts == choose_rails(shuffled, {}).verdicts);
    });
}

TEST_CASE("every port has one verdict, and rails are the ACTIVE, openable ports that are used") {
    law("verdicts", [] {
        const NodeSnapshot snapshot = *any_node();
        const RailChoice choice = choose_rails(snapshot, {});
        RC_ASSERT(choice.verdicts.size() == snapshot.hcas.size());
        const auto used = std::ranges::count_if(choice.verdicts, &PortVerdict::used);
        RC_ASSERT(static_cast<std::size_t>(used) == choice.rails.size());
        for (const Rail& rail : choice.rails) {
            RC_ASSERT(rail.port->state == PortState::Active);
            RC_ASSERT(rail.hca->openable);
            RC_ASSERT(rail.port->link_layer == choice.rails.front().port->link_layer);
        }
        for (const PortVerdict& verdict : choice.verdicts) {
            RC_ASSERT(!verdict.reason.empty());
        }
    });
}

TEST_CASE("a usable port never leaves a node without a rail") {
    law("no rail is lost", [] {
        const NodeSnapshot snapshot = *any_node();
        const bool usable = std::ranges::any_of(snapshot.hcas, [](const Hca& hca) {
            return hca.openable && hca.ports.front().state == PortState::Active;
        });
        RC_ASSERT(choose_rails(snapshot, {}).rails.empty() != usable);
    });
}

TEST_CASE(
    "a job's rails are some of the node's, and its GPUs together have all that any has alone") {
    law("GPUs", [] {
        const NodeSnapshot snapshot = *any_node(3);
        const RailChoice all = choose_rails(snapshot, {});
        const auto names = [](const RailChoice& choice) {
            std::set<std::string> set;
            for (const Rail& rail : choice.rails) {
                set.insert(rail.hca->name);
            }
            return set;
        };
        const auto first = names(rails_of_gpus(all, snapshot, {0}));
        const auto second = names(rails_of_gpus(all, snapshot, {1}));
        const auto both = names(rails_of_gpus(all, snapshot, {0, 1}));
        RC_ASSERT(std::ranges::includes(names(all), both));
        RC_ASSERT(std::ranges::includes(both, first));
        RC_ASSERT(std::ranges::includes(both, second));
        RC_ASSERT(first.empty() == all.rails.empty());
    });
}

TEST_CASE("the GID that is planned is routable, and NCCL ends on it or the plan says why not") {
    law("GID policy", [] {
        Hca hca = roce("mlx5_0", "0000:18:00.0", "10.0.0.5");
        hca.ports.front() = *any_roce_port();
        const Port& port = hca.ports.front();
        const auto wishes = gid_wishes({});
        const auto wish = std::ranges::find_if(
            wishes, [&](const GidWish& it) { return find_gid(port, it) != nullptr; });
        const bool has_gid = wish != wishes.end();
        RC_PRE(has_gid);
        const GidEntry* const planned = find_gid(port, *wish);
        RC_ASSERT(is_routable(*planned));
        const GidPolicy policy = gid_policy({{&hca, &port}}, {}).value();
        GidWish told = policy.wish;
        told.subnet = policy.range;
        const bool reached = nccl_gid_rule(port, told) == GidOutcome{planned->index, false};
        RC_ASSERT(reached || policy.index == planned->index);
    });
}

TEST_CASE("under the plan for its version NCCL does just what is planned") {
    law("forecast", [] {
        const NodeSnapshot snapshot = *any_node();
        NodeProfile profile{};
        profile.nccl = *rc::gen::elementOf(
            std::vector<NcclVersion>(kTellingVersions.begin(), kTellingVersions.end()));
        const EnvPlan plan = plan_environment(snapshot, profile, {});
        const bool has_rails = std::ranges::any_of(plan.ports, &PortVerdict::used);
        RC_PRE(has_rails);
        const Environment environment = applied(plan.variables, {});
        const auto other = deviations(plan, simulate_nccl(snapshot, environment, *profile.nccl));
        RC_LOG() << joined(other, "; ");
        RC_ASSERT(other.empty());
    });
}

TEST_CASE(
    "no text makes the simulation or the lint fail, and lint never speaks of the plan's own") {
    law("user's values", [] {
        const NodeSnapshot snapshot = *any_node();
        const EnvPlan plan = plan_environment(snapshot, {}, {});
        Environment environment = applied(plan.variables, {});
        const LintView view{snapshot, plan, environment, newest_known_nccl()};
        RC_ASSERT(lint_environment(view, {}).empty());
        for (const char* name : {"NCCL_IB_HCA", "NCCL_SOCKET_IFNAME", "UCX_NET_DEVICES",
                                 "NCCL_IB_GID_INDEX", "NCCL_COMM_ID", "GLOO_SOCKET_IFNAME"}) {
            environment[name] = *rc::gen::arbitrary<std::string>();
        }
        (void)lint_environment(view, {});
        (void)simulate_nccl(snapshot, environment,
                            *rc::gen::elementOf(std::vector<NcclVersion>(kTellingVersions.begin(),
                                                                         kTellingVersions.end())));
    });
}

TEST_CASE("a plan applied twice is applied once, and a user's value is never touched") {
    law("ownership", [] {
        const EnvPlan here = plan_environment(*any_node(), {}, {});
        const EnvPlan there = plan_environment(*any_node(), {}, {});
        const Environment before = *any_environment();
        const Environment once = applied(here.variables, before);
        RC_ASSERT(applied(here.variables, once) == once);
        // By way of another node it comes to the same.
        RC_ASSERT(applied(here.variables, applied(there.variables, once)) == once);

        const auto marker = before.find(kMarkerName);
        const Environment marked =
            marker == before.end() ? Environment{} : parse_marker(marker->second);
        for (const auto& [name, value] : before) {
            const auto mark = marked.find(name);
            const bool users =
                name != kMarkerName && (mark == marked.end() || mark->second != value);
            const auto kept = once.find(name);
            const bool untouched = kept != once.end() && kept->second == value;
            // Not in one expression: RC_ASSERT evaluates both sides of ||.
            if (users) {
                RC_ASSERT(untouched);
            }
        }
    });
}

TEST_CASE("text in shell quotes is one word without any meaning") {
    law("quotes", [] {
        const auto text = *rc::gen::arbitrary<std::string>();
        const std::string quoted = shell_quoted(text);
        std::string inside = quoted;
        for (std::size_t at = 0; (at = inside.find(R"('\'')", at)) != std::string::npos;) {
            inside.replace(at, 4, "\"");
        }
        RC_ASSERT(std::ranges::count(inside, '\'') == 2);
    });
}
