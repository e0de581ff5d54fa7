#include "fabric/read/expectation_keys.h"

#include "fabric/base/text.h"
#include "fabric/model/profile.h"

#include <algorithm>
#include <array>
#include <functional>

namespace ferrule {

namespace {

// The trimmed pieces of a list; a line that is continued ends with a comma.
std::vector<std::string_view> pieces_of(std::string_view value) {
    std::vector<std::string_view> pieces;
    for (const std::string_view piece : split(value, ',')) {
        if (!trimmed(piece).empty()) {
            pieces.push_back(trimmed(piece));
        }
    }
    return pieces;
}

// Appends what `parse` makes of each piece; false if it is no value for one of them.
template <typename T, typename Parse>
bool append(std::vector<T>& list, std::string_view value, Parse parse) {
    const auto pieces = pieces_of(value);
    for (const std::string_view piece : pieces) {
        auto parsed = parse(piece);
        if (!parsed) {
            return false;
        }
        list.push_back(std::move(*parsed));
    }
    return !pieces.empty();
}

std::optional<std::string> plain_word(std::string_view text) {
    const bool plain = !text.empty() && text.find_first_of(" \t") == std::string_view::npos;
    return plain ? std::optional{std::string{text}} : std::nullopt;
}

// The board id of Omni-Path adapters is a sentence.
std::optional<std::string> any_words(std::string_view text) {
    return text.empty() ? std::nullopt : std::optional{std::string{text}};
}

// "26:3" as two numbers below their bounds.
std::optional<DscpPriority> parse_dscp_priority(std::string_view text) {
    const std::size_t colon = text.find(':');
    if (colon == std::string_view::npos) {
        return std::nullopt;
    }
    const auto dscp = parse_number<std::uint8_t>(text.substr(0, colon));
    const auto priority = parse_number<std::uint8_t>(text.substr(colon + 1));
    const bool fits = dscp && priority && *dscp < kDscps && *priority < kPriorities;
    return fits ? std::optional{DscpPriority{*dscp, *priority}} : std::nullopt;
}

std::optional<TransmitSelection> parse_selection(std::string_view text) {
    constexpr std::array kAll{TransmitSelection::Strict, TransmitSelection::CreditShaper,
                              TransmitSelection::Ets, TransmitSelection::Vendor};
    const auto* const found = std::ranges::find_if(
        kAll, [&](TransmitSelection selection) { return to_text(selection) == text; });
    return found == kAll.end() ? std::nullopt : std::optional{*found};
}

// "3:ets:50", "6:strict".
std::optional<ClassService> parse_class_service(std::string_view text) {
    constexpr std::size_t kMostParts = 3;
    constexpr std::uint8_t kWhole = 100;
    const auto parts = split(text, ':');
    if (parts.size() < 2 || parts.size() > kMostParts) {
        return std::nullopt;
    }
    const auto traffic_class = parse_number<std::uint8_t>(parts[0]);
    const auto selection = parse_selection(parts[1]);
    if (!traffic_class || *traffic_class >= kPriorities || !selection) {
        return std::nullopt;
    }
    ClassService service{*traffic_class, *selection, {}};
    if (parts.size() == kMostParts) {
        service.bandwidth = parse_number<std::uint8_t>(parts[2]);
        if (service.bandwidth.value_or(kWhole + 1) > kWhole) {
            return std::nullopt;
        }
    }
    return service;
}

std::optional<CounterLimit> parse_counter_limit(std::string_view text) {
    const std::size_t colon = text.find(':');
    if (colon == std::string_view::npos || colon == 0) {
        return std::nullopt;
    }
    const auto limit = parse_event_limit(text.substr(colon + 1));
    return limit ? std::optional{CounterLimit{std::string{text.substr(0, colon)}, *limit}}
                 : std::nullopt;
}

// "net.ipv4.tcp_ecn=1".
std::optional<std::pair<std::string, std::string>> parse_sysctl(std::string_view text) {
    const std::size_t equals = text.find('=');
    if (equals == std::string_view::npos) {
        return std::nullopt;
    }
    const std::string_view name = trimmed(text.substr(0, equals));
    const bool fits = name.starts_with("net.") && name.find('/') == std::string_view::npos &&
                      name.find("..") == std::string_view::npos;
    return fits ? std::optional{std::pair{std::string{name},
                                          std::string{trimmed(text.substr(equals + 1))}}}
                : std::nullopt;
}

std::optional<NumberRange> parse_memlock_range(std::string_view text) {
    constexpr auto kUnlimited = std::numeric_limits<std::uint64_t>::max();
    return text == "unlimited" ? std::optional{NumberRange{kUnlimited, kUnlimited}}
                               : parse_number_range(text);
}

std::optional<std::string> parse_mtu_peer(std::string_view text) {
    return text == "gateway" || parse_ip(text) ? std::optional{std::string{text}} : std::nullopt;
}

template <typename T>
struct Word {
    std::string_view text;
    T value;
};

template <typename T, std::size_t N>
std::optional<T> find_word(const std::array<Word<T>, N>& words, std::string_view text) {
    const auto* const found = std::ranges::find(words, text, &Word<T>::text);
    return found == words.end() ? std::nullopt : std::optional{found->value};
}

constexpr std::array kSwitched{Word{"on", Switched::On}, Word{"off", Switched::Off}};
constexpr std::array kTrust{Word{"dscp", TrustMode::Dscp}, Word{"pcp", TrustMode::Pcp}};
constexpr std::array kDcbx{Word{"host", DcbxOwner::Host}, Word{"firmware", DcbxOwner::Firmware}};
constexpr std::array kGpuDirect{Word{"any", GpuDirect::Any}, Word{"peermem", GpuDirect::Peermem},
                                Word{"dmabuf", GpuDirect::Dmabuf}};

// Setters of one member each: what the member is made from decides.
template <auto Member, auto Parse>
bool set_by(Expectation& expected, std::string_view value) {
    expected.*Member = Parse(value);
    return (expected.*Member).has_value();
}

template <auto Member, auto& Words>
bool set_word(Expectation& expected, std::string_view value) {
    expected.*Member = find_word(Words, value);
    return (expected.*Member).has_value();
}

template <auto Member, auto Parse>
bool add_to(Expectation& expected, std::string_view value) {
    return append(expected.*Member, value, Parse);
}

template <auto Member>
bool set_range(Expectation& expected, std::string_view value) {
    expected.*Member = parse_number_range(value);
    return (expected.*Member).has_value();
}

template <auto Member>
bool set_tenths(Expectation& expected, std::string_view value) {
    expected.*Member = parse_number_range(value, Unit::Tenth);
    return (expected.*Member).has_value();
}

template <auto Member>
bool set_number(Expectation& expected, std::string_view value) {
    using T = typename std::remove_reference_t<decltype(expected.*Member)>::value_type;
    expected.*Member = parse_c_number<T>(value);
    return (expected.*Member).has_value();
}

template <auto Member>
bool set_versions(Expectation& expected, std::string_view value) {
    const auto rules = parse_version_rules(value);
    expected.*Member = rules.value_or(std::vector<VersionRule>{});
    return rules.has_value();
}

// Zero flaps would be too many flaps on every link.
std::optional<EventLimit> parse_flaps(std::string_view text) {
    const auto limit = parse_event_limit(text);
    return limit && limit->events > 0 ? limit : std::nullopt;
}

template <auto Member, auto IsPossible>
bool set_possible_range(Expectation& expected, std::string_view value) {
    expected.*Member = parse_number_range(value);
    const auto& range = expected.*Member;
    // The upper end of "4200+" is no value that anybody wrote.
    const bool open = value.ends_with('+');
    return range && IsPossible(range->low) && (open || IsPossible(range->high));
}

// Of an interface: from IPv4's least to what IPoIB has at most.
constexpr bool is_mtu(std::uint64_t bytes) {
    constexpr std::uint64_t kLeast = 68;
    constexpr std::uint64_t kMost = 65535;
    return bytes >= kLeast && bytes <= kMost;
}

// Source: InfiniBand specification, PortInfo.MTUCap.
constexpr bool is_active_mtu(std::uint64_t bytes) {
    return bytes == 256 || bytes == 512 || bytes == 1024 || bytes == 2048 || bytes == 4096;
}

// Source: InfiniBand specification, PortInfo.LinkWidthSupported.
constexpr bool is_width(std::uint64_t lanes) {
    return lanes == 1 || lanes == 2 || lanes == 4 || lanes == 8 || lanes == 12;
}

template <typename T, typename Key>
bool all_apart(const std::vector<T>& list, Key key) {
    for (std::size_t i = 0; i < list.size(); ++i) {
        for (std::size_t k = 0; k < i; ++k) {
            if (std::invoke(key, list[i]) == std::invoke(key, list[k])) {
                return false;
            }
        }
    }
    return true;
}

bool add_dscp_map(Expectation& expected, std::string_view value) {
    return append(expected.dscp_map, value, parse_dscp_priority) &&
           all_apart(expected.dscp_map, &DscpPriority::dscp);
}

bool add_ets(Expectation& expected, std::string_view value) {
    constexpr unsigned kWhole = 100;
    if (!append(expected.ets, value, parse_class_service)) {
        return false;
    }
    unsigned sum = 0;
    for (const ClassService& service : expected.ets) {
        sum += service.bandwidth.value_or(0);
    }
    return sum <= kWhole && all_apart(expected.ets, &ClassService::traffic_class);
}

bool add_limits(Expectation& expected, std::string_view value) {
    return append(expected.limits, value, parse_counter_limit) &&
           all_apart(expected.limits, &CounterLimit::meaning);
}

bool set_unused(Expectation& expected, std::string_view value) {
    return append_selectors(expected.unused, value);
}

bool set_sm_lid(Expectation& expected, std::string_view value) {
    const auto lid = parse_c_number<std::uint16_t>(value);
    expected.sm_lid = Lid{lid.value_or(0)};
    return lid.value_or(0) != 0;
}

bool set_cm_version(Expectation& expected, std::string_view value) {
    expected.cm_roce_version = parse_number<unsigned>(value);
    return expected.cm_roce_version == 1U || expected.cm_roce_version == 2U;
}

bool set_vlan(Expectation& expected, std::string_view value) {
    constexpr std::uint16_t kMostVlan = 4094;
    expected.vlan = parse_number<std::uint16_t>(value);
    return expected.vlan.has_value() && *expected.vlan <= kMostVlan;
}

bool add_rail_subnets(Expectation& expected, std::string_view value) {
    return append(expected.rail_subnets.values, value, parse_prefix);
}

bool add_switch_ports(Expectation& expected, std::string_view value) {
    return append(expected.switch_ports.values, value, [](std::string_view text) {
        return text.find(':') == std::string_view::npos ? std::nullopt : plain_word(text);
    });
}

bool set_fec(Expectation& expected, std::string_view value) {
    expected.fec = value;
    return value == "RS" || value == "BaseR" || value == "LLRS" || value == "Off";
}

template <typename T>
void clear(std::vector<T>& list) {
    list.clear();
}

template <typename T>
void clear(PerRail<T>& list) {
    list.values.clear();
}

template <auto Member>
void forget(Expectation& expected) {
    clear(expected.*Member);
}

using E = Expectation;

constexpr std::array kKeys{
    ExpectationKey{"unused", set_unused, "ports, as for rails", forget<&E::unused>},
    ExpectationKey{"rate", set_tenths<&E::rate>, "Gb/s: 400, 200+ or 100-400"},
    ExpectationKey{"width", set_possible_range<&E::width, is_width>,
                   "lanes that a link can have: 1, 2, 4, 8 or 12; 2+ or 2-4"},
    ExpectationKey{"mtu", set_possible_range<&E::mtu, is_mtu>, "bytes: 9000, 4200+ or 4200-9216"},
    ExpectationKey{"active_mtu", set_possible_range<&E::active_mtu, is_active_mtu>,
                   "bytes of an RDMA packet, 256, 512, 1024, 2048 or 4096: 4096 or 2048+"},
    ExpectationKey{"pfc", set_by<&E::pfc, parse_priorities>,
                   "priorities such as 3 or 3,4, or none"},
    ExpectationKey{"trust", set_word<&E::trust, kTrust>, "dscp or pcp"},
    ExpectationKey{"dscp_map", add_dscp_map,
                   "DSCP:PRIORITY pairs such as 26:3, 48:6, no DSCP twice", forget<&E::dscp_map>},
    ExpectationKey{
        "ets", add_ets,
        "CLASS:SERVICE[:PERCENT] such as 0:ets:50, 3:ets:50, 6:strict, no class twice and "
        "100 percent at most",
        forget<&E::ets>},
    ExpectationKey{"pfc_buffer", set_range<&E::pfc_buffer>, "bytes: 100000+"},
    ExpectationKey{"dcbx", set_word<&E::dcbx, kDcbx>, "host or firmware"},
    ExpectationKey{"global_pause", set_word<&E::global_pause, kSwitched>, "on or off"},
    ExpectationKey{"ecn", set_by<&E::ecn, parse_priorities>, "priorities such as 3, or none"},
    ExpectationKey{"fec", set_fec, "RS, BaseR, LLRS or Off"},
    ExpectationKey{"rdma_cm_roce_version", set_cm_version, "1 or 2"},
    ExpectationKey{"rdma_cm_tos", set_number<&E::cm_tos>, "a number from 0 to 255"},
    ExpectationKey{"rail_subnets", add_rail_subnets,
                   "one subnet for all rails, or one for each in their order",
                   forget<&E::rail_subnets>},
    ExpectationKey{"gid_index", set_number<&E::gid_index>, "a row of the GID table such as 3"},
    ExpectationKey{"pkey_index", set_number<&E::pkey_index>, "a row of the P_Key table such as 0"},
    ExpectationKey{"sm_lid", set_sm_lid, "a LID such as 1 or 0x2"},
    ExpectationKey{"firmware", set_versions<&E::firmware>,
                   "versions such as 28.39.1002, or 28.39.1002+ for that and newer"},
    ExpectationKey{"driver_version", set_versions<&E::driver_version>,
                   "versions such as 24.10-0.7.0+"},
    ExpectationKey{"driver", add_to<&E::drivers, plain_word>, "names such as mlx5_core",
                   forget<&E::drivers>},
    ExpectationKey{"board", add_to<&E::boards, any_words>, "board ids such as MT_0000000838",
                   forget<&E::boards>},
    ExpectationKey{"pcie_speed", set_tenths<&E::pcie_speed>, "GT/s: 32.0 or 16.0+"},
    ExpectationKey{"pcie_width", set_range<&E::pcie_width>, "lanes: 16 or 8+"},
    ExpectationKey{"acs", set_word<&E::acs, kSwitched>, "on or off"},
    ExpectationKey{"relaxed_ordering", set_word<&E::relaxed_ordering, kSwitched>, "on or off"},
    ExpectationKey{"read_request", set_range<&E::read_request>, "bytes: 4096 or 512+"},
    ExpectationKey{"hcas", set_range<&E::hcas>, "how many RDMA devices there are: 8 or 8+"},
    ExpectationKey{"efa_devices", set_number<&E::efa_devices>, "how many EFA devices there are"},
    ExpectationKey{"gpus", set_number<&E::gpus>, "how many GPUs there are"},
    ExpectationKey{"gpudirect", set_word<&E::gpudirect, kGpuDirect>, "any, peermem or dmabuf"},
    ExpectationKey{"memlock", set_by<&E::memlock, parse_memlock_range>, "unlimited, or bytes"},
    ExpectationKey{"sysctls", add_to<&E::sysctls, parse_sysctl>,
                   "settings below net. such as net.ipv4.tcp_ecn=1", forget<&E::sysctls>},
    ExpectationKey{"modules", add_to<&E::modules, plain_word>, "kernel modules such as ib_umad",
                   forget<&E::modules>},
    ExpectationKey{"switch_ports", add_switch_ports,
                   "SWITCH:PORT for each rail in their order, such as leaf1:Ethernet1/4",
                   forget<&E::switch_ports>},
    ExpectationKey{"vlan", set_vlan, "a number from 0 to 4094"},
    ExpectationKey{"limits", add_limits,
                   "COUNTER:EVENTS/TIME such as symbol_error:120/1h, no counter twice",
                   forget<&E::limits>},
    ExpectationKey{"flaps", add_to<&E::flaps, parse_flaps>,
                   "EVENTS/TIME that are too many, such as 2/5m, 3/12h", forget<&E::flaps>},
    ExpectationKey{"mtu_peers", add_to<&E::mtu_peers, parse_mtu_peer>,
                   "gateway, or addresses to send a large packet to", forget<&E::mtu_peers>},
    ExpectationKey{"skip", add_to<&E::skipped_checks, plain_word>,
                   "names of checks, as ferrule-healthcheck --list prints them",
                   forget<&E::skipped_checks>},
};

}  // namespace

std::span<const ExpectationKey> expectation_keys() {
    return kKeys;
}

bool append_selectors(std::vector<RailSelector>& selectors, std::string_view value) {
    constexpr std::string_view kLetters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
    const auto parse = [&](std::string_view text) -> std::optional<RailSelector> {
        RailSelector selector = parse_rail_selector(text);
        // Ports count from 1, and no name of an HCA or netdev has a colon. A piece of a PCI
        // address is none.
        const bool named =
            selector.pci || selector.name.find_first_of(kLetters) != std::string::npos;
        const bool fits = named && selector.port != 0U && plain_word(text).has_value() &&
                          selector.name.find(':') == std::string::npos;
        return fits ? std::optional{std::move(selector)} : std::nullopt;
    };
    return append(selectors, value, parse);
}

}  // namespace ferrule
