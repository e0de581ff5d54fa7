// The keys of ferrule.conf that say what must be true, inheritance, and profiles by product.
#include "fabric/read/expectation_keys.h"
#include "fabric/read/settings.h"
#include "tests/support/catch.h"

#include <algorithm>

using namespace ferrule;
using Catch::Matchers::Contains;
using Catch::Matchers::StartsWith;

namespace {

using Names = std::vector<std::string>;

NodeProfile profile_of(const std::string& text, const std::string& name) {
    const Settings settings = parse_settings("ferrule.conf", text).value();
    return *std::ranges::find(settings.profiles, name, &NodeProfile::name);
}

std::string error_of(const std::string& text) {
    const auto settings = parse_settings("ferrule.conf", text);
    return settings ? std::string{} : settings.error().text;
}

// The value of one key, and one that is none.
struct KeyValues {
    const char* key;
    const char* right;
    const char* wrong;
};

constexpr KeyValues kValues[] = {
    {"unused", "mlx5_7, 0000:18:00.0:2", "18:00.0"},
    {"rate", "400", "fast"},
    {"width", "2-4", "4x"},
    {"mtu", "4200+", "9000 bytes"},
    {"active_mtu", "4096", "large"},
    {"pfc", "3,4", "8"},
    {"trust", "dscp", "vlan"},
    {"dscp_map", "26:3, 48:6", "26:8"},
    {"ets", "0:ets:50, 6:strict", "0:wrr:50"},
    {"pfc_buffer", "100000+", "big"},
    {"dcbx", "host", "os"},
    {"global_pause", "off", "no"},
    {"ecn", "none", "all"},
    {"fec", "RS", "rs"},
    {"rdma_cm_roce_version", "2", "3"},
    {"rdma_cm_tos", "104", "256"},
    {"rail_subnets", "10.0.0.0/24, 10.1.0.0/24", "10.0.0.1"},
    {"gid_index", "3", "-1"},
    {"pkey_index", "0", "first"},
    {"sm_lid", "0x2", "0"},
    {"firmware", "28.39.1002, 28.41+", "newest"},
    {"driver_version", "24.10-0.7.0+", "new"},
    {"driver", "mlx5_core", "mlx5 core"},
    {"board", "MT_0000000838, DEL 17", ","},
    {"pcie_speed", "32.0", "gen5"},
    {"pcie_width", "16", "x16"},
    {"acs", "off", "0"},
    {"relaxed_ordering", "on", "yes"},
    {"read_request", "512+", "4k"},
    {"hcas", "8", "eight"},
    {"efa_devices", "32", "-32"},
    {"gpus", "8", "8 GPUs"},
    {"gpudirect", "peermem", "yes"},
    {"memlock", "unlimited", "infinity"},
    {"sysctls", "net.ipv4.tcp_ecn=1", "kernel.pid_max=1"},
    {"modules", "ib_umad, ib_ipoib", "ib umad"},
    {"switch_ports", "leaf1:Ethernet1/4", "leaf1"},
    {"vlan", "100", "4095"},
    {"limits", "symbol_error:120/1h", "symbol_error:120"},
    {"flaps", "2/5m, 3/12h", "2"},
    {"mtu_peers", "gateway, 10.0.0.9", "leaf1"},
    {"skip", "acs, memlock", "acs memlock"},
};

std::string line_of(const char* key, const char* value) {
    return std::string{"[profile a]\n"} + key + " = " + value + "\n";
}

}  // namespace

TEST_CASE("every key of the table is tested here") {
    REQUIRE(std::size(kValues) == expectation_keys().size());
    for (std::size_t i = 0; i < std::size(kValues); ++i) {
        CHECK(expectation_keys()[i].name == kValues[i].key);
    }
}

TEST_CASE("every key takes its value and keeps its line") {
    for (const KeyValues& it : kValues) {
        INFO(it.key);
        const auto settings = parse_settings("ferrule.conf", line_of(it.key, it.right));
        REQUIRE(settings);
        CHECK_FALSE(settings->profiles[0].expected == Expectation{});
        CHECK(settings->profiles[0].lines.at(it.key) == 2);
    }
}

TEST_CASE("a value that is none is refused with its line and what to give in its place") {
    for (const KeyValues& it : kValues) {
        INFO(it.key);
        const std::string error = error_of(line_of(it.key, it.wrong));
        CHECK_THAT(error, StartsWith(std::string{"ferrule.conf:2: \""} + it.wrong +
                                     "\" is no value for " + it.key + "; give "));
        const auto keys = expectation_keys();
        const auto key = std::ranges::find(keys, it.key, &ExpectationKey::name);
        CHECK_THAT(error, Contains(std::string{key->wanted}));
        CHECK_FALSE(error_of(std::string{"[profile a]\n"} + it.key + " =\n").empty());
    }
}

TEST_CASE("values become what they say") {
    const NodeProfile profile = profile_of(
        "[profile a]\nrate = 2.5-400\npfc = 3,4\ndscp_map = 26:3, 48:6,\n    46:5\n"
        "ets = 3:ets:50, 6:strict\nmemlock = unlimited\nsm_lid = 0x2\nlimits = symbol_error:5/2m\n"
        "sysctls = net.ipv4.conf.all.arp_ignore = 1\nfirmware = 28.41+\nvlan = 0\n",
        "a");
    const Expectation& expected = profile.expected;
    CHECK(expected.rate == NumberRange{25, 4000});
    CHECK(expected.pfc == PrioritySet{0x18});
    CHECK(expected.dscp_map == std::vector<DscpPriority>{{26, 3}, {48, 6}, {46, 5}});
    CHECK(expected.ets == std::vector<ClassService>{{3, TransmitSelection::Ets, std::uint8_t{50}},
                                                    {6, TransmitSelection::Strict, {}}});
    CHECK(expected.memlock == NumberRange{~0ULL, ~0ULL});
    CHECK(expected.sm_lid == Lid{2});
    CHECK(expected.limits == std::vector<CounterLimit>{{"symbol_error", {5, 120}}});
    CHECK(expected.sysctls ==
          std::vector<std::pair<std::string, std::string>>{{"net.ipv4.conf.all.arp_ignore", "1"}});
    CHECK(expected.firmware == std::vector<VersionRule>{{"28.41", VersionMatch::OrNewer}});
    CHECK(expected.vlan == 0);
}

TEST_CASE("one value is for all rails, several are for one each") {
    const PerRail<int> one{{7}};
    CHECK(*one.of(0) == 7);
    CHECK(*one.of(9) == 7);
    const PerRail<int> two{{7, 8}};
    CHECK(*two.of(1) == 8);
    CHECK(two.of(2) == nullptr);
    CHECK(PerRail<int>{}.of(0) == nullptr);
}

TEST_CASE("a profile that inherits has all of its parent but nodes and products") {
    const NodeProfile child = profile_of(
        "[profile base]\nnodes = n1\nproduct = p5.*\npkey = 0x8001\nrate = 400\n"
        "[profile child]\ninherit = base\nnodes = n2\nmtu = 9000\n"
        "[environment base]\nNCCL_DEBUG = WARN\n",
        "child");
    CHECK(child.parent == "base");
    CHECK(child.nodes == Names{"n2"});
    CHECK(child.products.empty());
    CHECK(child.pkey == Pkey{0x8001});
    CHECK(child.expected.rate == NumberRange{4000, 4000});
    CHECK(child.expected.mtu == NumberRange{9000, 9000});
    CHECK(child.environment.size() == 1);
    CHECK(child.lines.at("rate") == 5);
    CHECK(child.lines.at("mtu") == 9);
}

TEST_CASE("a list that is set anew replaces what was inherited, with all of its lines") {
    const std::string base =
        "[profile base]\nrails = mlx5_0,\n    mlx5_1\nskip = acs, fec\nlimits = ack_timeout:1/1h\n"
        "dscp_map = 26:3\nflaps = 2/5m\n[profile child]\ninherit = base\n";
    CHECK(profile_of(base, "child").rails.size() == 2);
    const NodeProfile child = profile_of(
        base +
            "rails = mlx5_7,\n    mlx5_8,\n    mlx5_9\nskip = gid\nlimits = crc_error:2/1h\n"
            "dscp_map = 48:6\nflaps = 5/1h\n",
        "child");
    CHECK(child.rails.size() == 3);
    CHECK(child.rails.front().name == "mlx5_7");
    CHECK(child.expected.skipped_checks == Names{"gid"});
    CHECK(child.expected.limits == std::vector<CounterLimit>{{"crc_error", {2, 3600}}});
    CHECK(child.expected.dscp_map == std::vector<DscpPriority>{{48, 6}});
    CHECK(child.expected.flaps == std::vector<EventLimit>{{5, 3600}});
    CHECK(profile_of(base, "base").rails.size() == 2);
}

TEST_CASE("inheritance goes over several profiles") {
    const NodeProfile last = profile_of(
        "[profile a]\nrate = 400\nmtu = 9000\n[profile b]\ninherit = a\nrate = 200\n"
        "[profile c]\ninherit = b\nwidth = 4\n",
        "c");
    CHECK(last.expected.rate == NumberRange{2000, 2000});
    CHECK(last.expected.mtu == NumberRange{9000, 9000});
    CHECK(last.parent == "b");
}

TEST_CASE("a mistake about inheritance or a shared field is named") {
    struct Mistake {
        const char* text;
        const char* message;
    };

    const Mistake it = GENERATE(
        Mistake{"[profile a]\ninherit = b\n[profile b]\n",
                "ferrule.conf:2: \"b\" is no profile above this one"},
        Mistake{"[profile a]\ninherit = a\n", "ferrule.conf:2: \"a\" is no profile above"},
        Mistake{"[profile a]\ninherit = c\n", "ferrule.conf:2: \"c\" is no profile above"},
        Mistake{"[profile a]\n[profile b]\nrate = 1\ninherit = a\n",
                "ferrule.conf:4: \"inherit\" comes first in its section"},
        Mistake{"[profile a]\n[profile b]\ninherit = a\ninherit = a\n",
                "ferrule.conf:4: \"inherit\" is set twice in [profile b]"},
        Mistake{"[profile a]\nrate = 400\nrate = 200\n", "ferrule.conf:3: \"rate\" is set twice"},
        Mistake{"[profile a]\nrate = 400\n    200\n", "ferrule.conf:3: an indented line"},
        Mistake{"[profile a]\nskip = acs\n    fec\n", "ferrule.conf:3: an indented line"},
        Mistake{"[profile a]\ndscp = 26\ntraffic_class = 104\n",
                "ferrule.conf:3: \"dscp\" and \"traffic_class\" both set"});
    INFO(it.text);
    CHECK_THAT(error_of(it.text), StartsWith(it.message));
}

TEST_CASE("a profile may set the other name of a field that it inherits") {
    const std::string text =
        "[profile a]\ndscp = 26\n[profile b]\ninherit = a\ntraffic_class = 96\n";
    CHECK(profile_of(text, "a").traffic_class == 104);
    CHECK(profile_of(text, "b").traffic_class == 96);
}

TEST_CASE("a node gets the profile of its name, else of its machine, else of all") {
    struct Case {
        const char* node;
        const char* product;
        const char* profile;
    };

    const Settings settings = parse_settings("ferrule.conf",
                                             "[profile all]\n"
                                             "[profile p5]\nproduct = p5.48xlarge, p5e*\n"
                                             "[profile late]\nproduct = p5*\n"
                                             "[profile named]\nnodes = n[1-2]\n"
                                             "[profile both]\nnodes = b1\nproduct = DGX?100\n")
                                  .value();
    CHECK(needs_product(settings));
    const Case it = GENERATE(Case{"n1", "p5.48xlarge", "named"}, Case{"n3", "p5.48xlarge", "p5"},
                             Case{"n3", "p5e.48xlarge", "p5"}, Case{"n3", "p5en.48xlarge", "p5"},
                             Case{"n3", "p5x", "late"}, Case{"n3", "P5x", "all"},
                             Case{"n3", "", "all"}, Case{"b1", "DGXH100", "both"},
                             Case{"b1", "DGX100", "all"}, Case{"b2", "DGXH100", "all"});
    INFO(it.node << " " << it.product);
    CHECK(profile_for(settings, it.node, it.product).name == it.profile);
}

TEST_CASE("without products nobody needs to know the machine") {
    CHECK_FALSE(needs_product(parse_settings("f", "[profile a]\nnodes = n1\n").value()));
    CHECK_FALSE(needs_product({}));
}
