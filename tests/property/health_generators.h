// Arbitrary histories, faults and unreadable files for the laws of the health check.
#pragma once

#include "fabric/model/history.h"
#include "tests/support/health_world.h"

#include <rapidcheck.h>

#include <string>
#include <utility>
#include <vector>

namespace ferrule::testing {

// Names as drivers give them, and some that none would: no control characters, which become blanks.
inline rc::Gen<std::string> any_name() {
    return rc::gen::container<std::string>(
        rc::gen::elementOf(std::string{"abmx01_/:.- ,=#\"\\{}\xc3\xbc\x7f"}));
}

inline rc::Gen<std::string> any_version() {
    return rc::gen::exec([] {
        std::string version = std::to_string(*rc::gen::inRange(0, 40));
        const auto parts = *rc::gen::inRange(0, 4);
        for (int i = 0; i < parts; ++i) {
            version += *rc::gen::element<std::string>(".", "-", ".0", "-rc");
            version += std::to_string(*rc::gen::inRange(0, 1200));
        }
        return version;
    });
}

inline CounterTrack any_track() {
    CounterTrack track{
        *rc::gen::arbitrary<std::uint64_t>(), *rc::gen::arbitrary<std::uint64_t>(), {}};
    const auto increments = *rc::gen::inRange<std::size_t>(0, kMostIncrements + 1);
    for (std::size_t i = 0; i < increments; ++i) {
        track.increments.push_back({*rc::gen::arbitrary<std::uint64_t>(),
                                    *rc::gen::arbitrary<std::uint64_t>(),
                                    *rc::gen::arbitrary<std::uint64_t>()});
    }
    return track;
}

inline RunRecord any_run() {
    RunRecord run{};
    run.time = *rc::gen::arbitrary<std::int64_t>();
    const auto size = *rc::gen::inRange(0, 6);
    for (int i = 0; i < size; ++i) {
        run.facts[*any_name()] = *any_name();
        run.failures.emplace_back(*any_name(), *any_name());
    }
    return run;
}

inline rc::Gen<History> any_history() {
    return rc::gen::exec([] {
        History history{};
        history.boot_id = *any_name();
        history.uptime_ms = *rc::gen::arbitrary<std::uint64_t>();
        const auto size = *rc::gen::inRange(0, 6);
        for (int i = 0; i < size; ++i) {
            history.counters[*any_name()] = any_track();
            history.since[*any_name()] = *rc::gen::arbitrary<std::uint64_t>();
            history.refused[*any_name()] = *rc::gen::arbitrary<int>();
        }
        history.last = any_run();
        history.good = any_run();
        return history;
    });
}

// The profile says all that can be said, as the healthy node has it.
inline void demand_all(World& world) {
    for (const Hca& hca : world.snapshot.hcas) {
        world.profile.rails.push_back(parse_rail_selector(hca.name));
    }
    Expectation& it = world.wants();
    it.rate = NumberRange{4000, 4000};
    it.width = NumberRange{4, 4};
    it.mtu = NumberRange{9000, 9000};
    it.active_mtu = NumberRange{4096, 4096};
    it.pfc = PrioritySet{8};
    it.trust = TrustMode::Dscp;
    it.dscp_map = {{26, 3}, {48, 6}};
    it.ets = {{3, TransmitSelection::Ets, std::uint8_t{50}}};
    it.pfc_buffer = NumberRange{200'000, 200'000};
    it.dcbx = DcbxOwner::Host;
    it.global_pause = Switched::Off;
    it.ecn = PrioritySet{8};
    it.fec = "RS";
    it.cm_roce_version = 2;
    it.cm_tos = std::uint8_t{104};
    it.gid_index = 3;
    it.sm_lid = Lid{1};
    it.firmware = {{"28.39.1002", VersionMatch::Exact}};
    it.boards = {"MT_0000000838"};
    it.drivers = {world.snapshot.hcas.front().driver};
    it.pcie_speed = NumberRange{320, 320};
    it.pcie_width = NumberRange{16, 16};
    it.acs = Switched::Off;
    it.relaxed_ordering = Switched::On;
    it.read_request = NumberRange{4096, 4096};
    it.hcas = NumberRange{world.snapshot.hcas.size(), world.snapshot.hcas.size()};
    it.gpus = 4;
    it.gpudirect = GpuDirect::Peermem;
    it.vlan = std::uint16_t{100};
    it.modules = {"ib_umad"};
}

using Mutation = std::pair<const char*, void (*)(World&, std::size_t)>;

inline const std::vector<Mutation>& faults() {
    static const std::vector<Mutation> all{
        {"down", [](World& it, std::size_t i) { it.port(i).state = PortState::Down; }},
        {"slow", [](World& it, std::size_t i) { it.port(i).rate = LinkRate{2000, 4, "HDR"}; }},
        {"narrow", [](World& it, std::size_t i) { it.port(i).rate = LinkRate{4000, 2, "NDR"}; }},
        {"small packets", [](World& it, std::size_t i) { it.port(i).active_mtu = 1024; }},
        {"no verbs", [](World& it, std::size_t i) { it.hca(i).uverbs.clear(); }},
        {"not opened", [](World& it, std::size_t i) { it.hca(i).open_error = 19; }},
        {"firmware", [](World& it, std::size_t i) { it.hca(i).firmware = "20.1.1"; }},
        {"board", [](World& it, std::size_t i) { it.hca(i).board_id = "DEL1"; }},
        {"driver", [](World& it, std::size_t i) { it.hca(i).driver = "mlx4_core"; }},
        {"PCIe", [](World& it, std::size_t i) { it.pcie(i).path[0].current = PciLink{320, 4}; }},
        {"bridge", [](World& it, std::size_t i) { it.pcie(i).path[1].current = PciLink{320, 4}; }},
        {"ACS", [](World& it, std::size_t i) { it.pcie(i).path[1].acs_redirects = true; }},
        {"ordering", [](World& it, std::size_t i) { it.pcie(i).relaxed_ordering = false; }},
        {"read request", [](World& it, std::size_t i) { it.pcie(i).max_read_request = 128; }},
        {"PCIe error", [](World& it, std::size_t i) { it.pcie(i).fatal_errors = 1; }},
        {"symbol errors",
         [](World& it, std::size_t i) { it.port(i).counters->at(0).value += 500; }},
        {"flaps", [](World& it, std::size_t i) { it.port(i).counters->at(2).value += 5; }},
        {"timeouts", [](World& it, std::size_t i) { it.port(i).hw_counters->at(0).value += 500; }},
        {"corruption", [](World& it, std::size_t i) { it.port(i).hw_counters->at(2).value += 1; }},
        {"hung",
         [](World& it, std::size_t i) { it.snapshot.hung = {{it.hca(i).name, "x", 1, false}}; }},
        {"memlock", [](World& it, std::size_t) { it.snapshot.memlock_limit = 65536; }},
        {"no module", [](World& it, std::size_t) { it.snapshot.host.modules = {"ib_core"}; }},
        {"no GPU", [](World& it, std::size_t) { it.snapshot.gpus.clear(); }},
    };
    return all;
}

// Some at random, on rails at random; says which.
inline std::string add_faults(World& world, int number) {
    std::string names;
    for (int i = 0; i < number; ++i) {
        const auto& [name, make] = faults().at(*rc::gen::inRange<std::size_t>(0, faults().size()));
        const auto rail = *rc::gen::inRange<std::size_t>(0, world.snapshot.hcas.size());
        if (world.port(rail).counters && world.port(rail).hw_counters->size() > 2) {
            make(world, rail);
            names += std::string{name} + " ";
        }
    }
    return names;
}

// What is not known where a file could not be read.
inline const std::vector<Mutation>& unreadable_files() {
    static const std::vector<Mutation> all{
        {"state", [](World& it, std::size_t i) { it.port(i).state = std::nullopt; }},
        {"phys_state", [](World& it, std::size_t i) { it.port(i).phys_state = std::nullopt; }},
        {"rate", [](World& it, std::size_t i) { it.port(i).rate = std::nullopt; }},
        {"lid", [](World& it, std::size_t i) { it.port(i).lid = std::nullopt; }},
        {"sm_lid", [](World& it, std::size_t i) { it.port(i).sm_lid = std::nullopt; }},
        {"counters", [](World& it, std::size_t i) { it.port(i).counters = std::nullopt; }},
        {"hw_counters", [](World& it, std::size_t i) { it.port(i).hw_counters = std::nullopt; }},
        {"active mtu", [](World& it, std::size_t i) { it.port(i).active_mtu = std::nullopt; }},
        {"pkeys", [](World& it, std::size_t i) { it.port(i).pkeys.clear(); }},
        {"gids", [](World& it, std::size_t i) { it.port(i).gids.clear(); }},
        {"cm type", [](World& it, std::size_t i) { it.port(i).cm_gid_type = std::nullopt; }},
        {"cm tos", [](World& it, std::size_t i) { it.port(i).cm_tos = std::nullopt; }},
        {"fw_ver", [](World& it, std::size_t i) { it.hca(i).firmware.clear(); }},
        {"board_id", [](World& it, std::size_t i) { it.hca(i).board_id.clear(); }},
        {"open", [](World& it, std::size_t i) { it.hca(i).open_error = std::nullopt; }},
        {"pcie", [](World& it, std::size_t i) { it.hca(i).pcie = std::nullopt; }},
        {"link", [](World& it, std::size_t i) { it.pcie(i).path[0].current = std::nullopt; }},
        {"max link", [](World& it, std::size_t i) { it.pcie(i).path[0].max = std::nullopt; }},
        {"ACS", [](World& it, std::size_t i) { it.pcie(i).path[1].acs_redirects = std::nullopt; }},
        {"ordering", [](World& it, std::size_t i) { it.pcie(i).relaxed_ordering = std::nullopt; }},
        {"request", [](World& it, std::size_t i) { it.pcie(i).max_read_request = std::nullopt; }},
        {"modules", [](World& it, std::size_t) { it.snapshot.host.modules.clear(); }},
        {"sysctls", [](World& it, std::size_t) { it.snapshot.host.sysctls.clear(); }},
        {"limits", [](World& it, std::size_t) { it.snapshot.memlock_limit = std::nullopt; }},
        {"uptime", [](World& it, std::size_t) { it.snapshot.host.uptime_ms = std::nullopt; }},
        {"boot_id", [](World& it, std::size_t) { it.snapshot.host.boot_id.clear(); }},
    };
    return all;
}

// The same of interfaces, which InfiniBand and EFA have not.
inline const std::vector<Mutation>& unreadable_interfaces() {
    static const std::vector<Mutation> all{
        {"mtu", [](World& it, std::size_t i) { it.netdev(i).mtu = std::nullopt; }},
        {"operstate", [](World& it, std::size_t i) { it.netdev(i).operstate.clear(); }},
        {"carrier", [](World& it, std::size_t i) { it.netdev(i).carrier = std::nullopt; }},
        {"speed", [](World& it, std::size_t i) { it.netdev(i).speed = std::nullopt; }},
        {"dcb", [](World& it, std::size_t i) { it.netdev(i).dcb = std::nullopt; }},
        {"ethtool", [](World& it, std::size_t i) { it.netdev(i).ethernet = std::nullopt; }},
        {"lldp", [](World& it, std::size_t i) { it.netdev(i).lldp = std::nullopt; }},
        {"ecn", [](World& it, std::size_t i) { it.netdev(i).ecn_reaction = std::nullopt; }},
    };
    return all;
}

// Some files at random that cannot be read, on rails at random; says which.
inline std::string drop_some(World& world, int number) {
    const bool of_interface = !world.snapshot.netdevs.empty() && *rc::gen::arbitrary<bool>();
    const auto& files = of_interface ? unreadable_interfaces() : unreadable_files();
    std::string names;
    for (int i = 0; i < number; ++i) {
        const auto& [name, drop] = files.at(*rc::gen::inRange<std::size_t>(0, files.size()));
        const auto rail = *rc::gen::inRange<std::size_t>(0, world.snapshot.hcas.size());
        const bool drops_link = world.hca(rail).pcie && !world.pcie(rail).path.empty();
        if (drops_link && (!of_interface || world.netdev(rail).dcb)) {
            drop(world, rail);
            world.unreadable("sys/class/infiniband/" + world.hca(rail).name + "/ports/1/" + name);
            names += std::string{name} + " of " + world.hca(rail).name + " ";
        }
    }
    return names;
}

}  // namespace ferrule::testing
