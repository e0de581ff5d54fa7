#include "fabric/check/facts.h"

#include "fabric/base/text.h"

#include <fmt/format.h>

#include <algorithm>

namespace ferrule {

namespace {

constexpr std::string_view kRail = " rail";
constexpr std::string_view kGid = " gid ";

// Writes facts about one object; what is not known is no fact.
class Statements {
  public:
    Statements(Facts& facts, std::string object) : facts_{facts}, object_{std::move(object)} {}

    void say(std::string_view what, std::string value) {
        if (!value.empty()) {
            facts_.insert_or_assign(object_ + " " + std::string{what}, std::move(value));
        }
    }

    template <typename T, typename Text>
    void say(std::string_view what, const std::optional<T>& value, Text text) {
        if (value) {
            say(what, std::string{text(*value)});
        }
    }

  private:
    Facts& facts_;
    std::string object_;
};

constexpr auto kNumber = [](auto value) { return std::to_string(value); };
constexpr auto kText = [](const auto& value) { return to_text(value); };
constexpr auto kLid = [](Lid lid) { return fmt::format("{:#x}", lid.value); };
constexpr auto kYesNo = [](bool value) { return std::string{value ? "yes" : "no"}; };

std::string link_text(const PciLink& link) {
    return fmt::format("{} GT/s x{}", gbps_text(link.tenth_gts), link.lanes);
}

void say_port(const Hca& hca, const Port& port, Facts& facts) {
    Statements it{facts, port_object(hca, port)};
    it.say("link layer", to_text(port.link_layer));
    it.say("state", port.state, kText);
    it.say("physical state", port.phys_state, kText);
    it.say("rate", port.rate, kText);
    it.say("lid", port.lid, kLid);
    it.say("sm lid", port.sm_lid, kLid);
    it.say("netdev", port.netdev);
    it.say("active mtu", port.active_mtu, kNumber);
    for (const GidEntry& entry : port.gids) {
        const std::string type = entry.type ? std::string{to_text(*entry.type)} : "unknown type";
        it.say(fmt::format("gid {}", entry.index),
               fmt::format("{} {} {}", to_text(entry.gid), type, entry.netdev));
    }
    for (const PkeyEntry& entry : port.pkeys) {
        it.say(fmt::format("pkey {}", entry.index), to_text(entry.pkey));
    }
}

void say_hca(const Hca& hca, Facts& facts) {
    Statements it{facts, hca.name};
    it.say("pci", hca.pci.address, kText);
    it.say("node guid", to_text(hca.node_guid));
    it.say("firmware", hca.firmware);
    it.say("board", hca.board_id);
    it.say("driver", hca.driver);
    it.say("driver version", hca.driver_version);
    it.say("verbs device", hca.uverbs);
    if (hca.pcie) {
        for (const PciHop& hop : hca.pcie->path) {
            it.say("pcie " + to_text(hop.address), hop.current, link_text);
        }
        it.say("read request", hca.pcie->max_read_request, kNumber);
        it.say("relaxed ordering", hca.pcie->relaxed_ordering, kYesNo);
    }
    for (const Port& port : hca.ports) {
        say_port(hca, port, facts);
    }
}

// The DSCPs that lead elsewhere than to the priority of their upper bits.
std::string dscp_map_text(const std::vector<AppEntry>& applications) {
    const auto map = priority_of_dscp(applications);
    std::vector<std::string> odd;
    odd.reserve(kDscps);
    for (std::size_t dscp = 0; dscp < kDscps; ++dscp) {
        if (map.at(dscp) != dscp >> 3U) {
            odd.push_back(fmt::format("{}:{}", dscp, map.at(dscp)));
        }
    }
    return odd.empty() ? "default" : joined(odd, " ");
}

std::string ets_text(const EtsState& ets) {
    std::string classes;
    for (std::size_t i = 0; i < kPriorities; ++i) {
        classes += fmt::format("{}{}:{}:{}", i == 0 ? "" : " ", i, to_text(ets.selection.at(i)),
                               ets.bandwidth.at(i));
    }
    return classes;
}

void say_dcb(const DcbState& dcb, Statements& it) {
    it.say("pfc", dcb.pfc, [](const PfcState& pfc) { return to_text(pfc.enabled); });
    it.say("trust", trust_of(dcb), kText);
    it.say("dscp map", dcb.applications, dscp_map_text);
    it.say("ets", dcb.ets, ets_text);
    it.say("receive buffers", dcb.buffers,
           [](const auto& buffers) { return fmt::format("{}", fmt::join(buffers.sizes, " ")); });
    it.say("dcbx", dcb.dcbx, kNumber);
}

void say_lldp(const LldpNeighbour& lldp, Statements& it) {
    it.say("switch port", lldp.system_name + ":" + lldp.port_id);
    it.say("switch frame size", lldp.max_frame_size, kNumber);
    if (lldp.pfc) {
        it.say("switch pfc", to_text(lldp.pfc->enabled));
    }
    it.say("switch vlan", lldp.vlan, kNumber);
}

void say_netdev(const Netdev& netdev, Facts& facts) {
    Statements it{facts, netdev.name};
    it.say("mtu", netdev.mtu, kNumber);
    it.say("operstate", netdev.operstate);
    it.say("carrier", netdev.carrier, kYesNo);
    it.say("speed", netdev.speed, kNumber);
    for (std::size_t i = 0; i < netdev.addresses.size(); ++i) {
        it.say(fmt::format("address {}", i),
               fmt::format("{}/{}", to_text(netdev.addresses[i].address),
                           netdev.addresses[i].prefix_length));
    }
    if (netdev.bond) {
        it.say("bond members", joined(netdev.bond->members, " "));
    }
    if (netdev.ethernet) {
        it.say("fec", netdev.ethernet->fec.value_or(std::string{}));
        it.say("pause", netdev.ethernet->pause, [](const PauseState& pause) {
            return fmt::format("rx {} tx {}", pause.receive ? "on" : "off",
                               pause.transmit ? "on" : "off");
        });
    }
    if (netdev.dcb) {
        say_dcb(*netdev.dcb, it);
    }
    if (netdev.lldp) {
        say_lldp(*netdev.lldp, it);
    }
}

}  // namespace

Facts facts_of(const NodeSnapshot& snapshot, const Scope& scope) {
    Facts facts;
    Statements node{facts, "node"};
    node.say("kernel", snapshot.kernel);
    node.say("product", snapshot.host.product);
    node.say("gpus", std::to_string(snapshot.gpus.size()));
    for (const auto& [name, value] : snapshot.host.sysctls) {
        node.say(name, value);
    }
    for (const Hca& hca : snapshot.hcas) {
        say_hca(hca, facts);
    }
    for (const Netdev& netdev : snapshot.netdevs) {
        if (is_fabric_interface(snapshot, netdev)) {
            say_netdev(netdev, facts);
        }
    }
    for (const ScopedPort& port : scope.ports) {
        if (port.like.empty()) {
            facts.insert_or_assign(port.object + std::string{kRail}, "yes");
        }
    }
    return facts;
}

Facts with_lost_gids(const Facts& before, Facts now) {
    const auto has_gid = [&now](const std::string& object) {
        const std::string prefix = object + std::string{kGid};
        const auto first = now.lower_bound(prefix);
        return first != now.end() && first->first.starts_with(prefix);
    };
    Facts lost;
    for (const auto& [fact, value] : before) {
        const std::size_t at = fact.find(kGid);
        const std::string object = fact.substr(0, at);
        if (at != std::string::npos && !has_gid(object) && now.contains(object + " state")) {
            lost.emplace(fact, value);
        }
    }
    now.merge(lost);
    return now;
}

std::vector<std::string> rails_of(const Facts& facts) {
    std::vector<std::string> rails;
    for (const auto& [fact, value] : facts) {
        if (fact.ends_with(kRail)) {
            rails.push_back(fact.substr(0, fact.size() - kRail.size()));
        }
    }
    return rails;
}

std::vector<Change> changes(const Facts& before, const Facts& now) {
    std::vector<Change> all;
    all.reserve(before.size() + now.size());
    for (const auto& [fact, value] : before) {
        const auto found = now.find(fact);
        const std::string present = found == now.end() ? std::string{} : found->second;
        if (present != value) {
            all.push_back({fact, value, present});
        }
    }
    for (const auto& [fact, value] : now) {
        if (!before.contains(fact)) {
            all.push_back({fact, {}, value});
        }
    }
    std::ranges::sort(all, natural_less, &Change::fact);
    return all;
}

}  // namespace ferrule
