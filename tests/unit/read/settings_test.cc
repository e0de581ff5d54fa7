// ferrule.conf: what is taken, and that every mistake names file, line and remedy.
#include "fabric/read/settings.h"

#include "tests/support/catch.h"
#include "tests/support/machine.h"

#include <filesystem>

#include <sys/stat.h>
#include <unistd.h>

using namespace ferrule;
using namespace ferrule::testing;

namespace fs = std::filesystem;

namespace {

constexpr const char* kWhole = R"(
# Two classes of nodes.
[profile hopper]
nodes = n[1-2],gpu07
rails = 0000:18:00.0, mlx5_3:1,
        ens1f0np0
link_layer = InfiniBand
pkey = 0x8001
service_level = 1
oldest_nccl = 2.18

[environment hopper]
NCCL_IB_QPS_PER_CONNECTION = 4   ; two links behind a bond
UCX_NET_DEVICES =

[profile rest]
socket_subnet = 10.0.0.0/16
socket_interface = bond0
gid_family = ipv6
gid_subnet = fd00::/8
roce_version = 2
dscp = 26
)";

std::string error_of(const std::string& text) {
    const auto settings = parse_settings("ferrule.conf", text);
    return settings ? std::string{} : settings.error().text;
}

}  // namespace

TEST_CASE("a whole configuration becomes profiles") {
    const auto settings = parse_settings("ferrule.conf", kWhole);
    REQUIRE(settings);
    REQUIRE(settings->profiles.size() == 2);
    const NodeProfile& hopper = settings->profiles[0];
    CHECK(hopper.nodes == std::vector<std::string>{"n1", "n2", "gpu07"});
    REQUIRE(hopper.rails.size() == 3);
    CHECK(hopper.rails[2].name == "ens1f0np0");
    CHECK(hopper.link_layer == LinkLayer::InfiniBand);
    CHECK(hopper.pkey == Pkey{0x8001});
    CHECK(hopper.nccl == NcclVersion{2, 18, 0});
    CHECK(hopper.environment == std::vector<std::pair<std::string, std::string>>{
                                    {"NCCL_IB_QPS_PER_CONNECTION", "4"}, {"UCX_NET_DEVICES", ""}});
    const NodeProfile& rest = settings->profiles[1];
    CHECK(rest.traffic_class == 104);
    CHECK(rest.gid_family == IpFamily::V6);
}

TEST_CASE("a node gets the profile that names it, else the one for all, else none") {
    const Settings settings = parse_settings("ferrule.conf", kWhole).value();
    CHECK(profile_for(settings, "gpu07").name == "hopper");
    CHECK(profile_for(settings, "n3").name == "rest");
    CHECK(profile_for(Settings{}, "n3") == NodeProfile{});
}

TEST_CASE("every mistake names file, line and remedy, and shows the line") {
    struct Mistake {
        const char* text;
        const char* message;
    };

    const auto& [text, message] = GENERATE(
        Mistake{"[profile a]\nrailz = mlx5_0\n", "ferrule.conf:2: unknown key \"railz\"; the keys"},
        Mistake{"[profil a]\nrails = mlx5_0\n", "ferrule.conf:1: unknown section [profil a]; use"},
        Mistake{"[profile]\nrails = mlx5_0\n", "ferrule.conf:1: unknown section [profile]; use"},
        Mistake{"[profile ]\n", "ferrule.conf:1: unknown section [profile ]; use"},
        Mistake{"[nonsense]\n", "ferrule.conf:1: unknown section [nonsense]; use"},
        Mistake{"[profile a]\n[profile b]\n[profile a]\n",
                "ferrule.conf:3: [profile a] was opened in line 1 already"},
        Mistake{"[profile hopper]\n[environment hoper]\nX = 1\n",
                "ferrule.conf:3: there is no [profile hoper] for this environment"},
        Mistake{"[profile a]\nnodes = n[1-20]\n    dscp = 26\n",
                "ferrule.conf:3: an indented line goes on with the list above it"},
        Mistake{"[profile a]\n    dscp = 26\n    service_level = 1\n",
                "ferrule.conf:3: an indented line goes on with the list above it"},
        Mistake{"[profile a]\nrails = 18:00.0\n",
                "ferrule.conf:2: \"18:00.0\" is no value for rails"},
        Mistake{"[profile a]\nrails = mlx5_0:0\n", "ferrule.conf:2: \"mlx5_0:0\" is no value for"},
        Mistake{"[profile a]\ndscp = 64\n",
                "ferrule.conf:2: \"64\" is no value for dscp; give a number from 0 to 63"},
        Mistake{"[profile a]\ndscp = 26\npkey = 1\ndscp = 26\n",
                "ferrule.conf:4: \"dscp\" is set twice in [profile a]"},
        Mistake{"[profile a]\ntraffic_class = 104\ndscp = 26\n",
                "ferrule.conf:3: \"dscp\" and \"traffic_class\" both set the same field"},
        Mistake{"[profile a]\ndscp = 26\ntraffic_class = 104\n",
                "ferrule.conf:3: \"dscp\" and \"traffic_class\" both set the same field"},
        Mistake{"[profile a]\nservice_level = 16\n", "ferrule.conf:2: \"16\" is no value"},
        Mistake{"[profile a]\npkey = 0x8000\n", "ferrule.conf:2: \"0x8000\" is no value for pkey"},
        Mistake{"[profile a]\nnodes = n[1-\n", "ferrule.conf:2: \"n[1-\" is no value for nodes"},
        Mistake{"[profile a]\nsocket_interface = ^docker\n", "ferrule.conf:2: \"^docker\" is no"},
        Mistake{"[profile a]\nsocket_subnet = 10.0.0.0\n", "ferrule.conf:2: \"10.0.0.0\" is no"},
        Mistake{"[profile a]\nrails = mlx5_0 mlx5_1\n", "ferrule.conf:2: \"mlx5_0 mlx5_1\" is no"},
        Mistake{"[profile a]\nlink_layer = InfiniBand\n  Ethernet\n",
                "ferrule.conf:3: an indented line goes on with the list above it"},
        Mistake{"[profile a]\nrails = a\nrails = b\n", "ferrule.conf:3: \"rails\" is set twice"},
        Mistake{"[profile a]\n[environment a]\nLD_PRELOAD = x\n",
                "ferrule.conf:3: \"LD_PRELOAD\" is not for"},
        Mistake{"[profile a]\n[environment a]\nA-B = x\n", "ferrule.conf:3: \"A-B\" is no name"},
        Mistake{"rails = mlx5_0\n", "ferrule.conf:1: a key before any section"},
        Mistake{"[profile a]\nnonsense\n", "ferrule.conf:2: expected \"[section]\""});
    INFO(text);
    CHECK_THAT(error_of(text), Catch::Matchers::StartsWith(message));
    CHECK_THAT(error_of(text),
               Catch::Matchers::Contains("\n    ") && Catch::Matchers::EndsWith("^"));
}

TEST_CASE("the caret stands below what is wrong") {
    CHECK(error_of("[profile a]\ndscp = 64\n").ends_with("\n    dscp = 64\n           ^"));
}

TEST_CASE("nothing is ever cut: a line that inih would cut is refused") {
    const std::string longest = "rails = " + std::string(198 - 8, 'x');
    CHECK(error_of("[profile a]\n" + longest + "\n").empty());
    CHECK_THAT(error_of("[profile a]\n" + longest + "x\n"),
               Catch::Matchers::StartsWith("ferrule.conf:2: line longer than 198 bytes"));
    CHECK_THAT(error_of("[profile " + std::string(60, 'p') + "]\ndscp = 1\n"),
               Catch::Matchers::StartsWith("ferrule.conf:1: line longer"));
    CHECK_FALSE(error_of("[profile a]\nx" + std::string(60, 'y') + " = 1\n").empty());
    CHECK_FALSE(error_of(std::string{"[profile a]\nrails = a\0b\n", 24}).empty());
}

TEST_CASE("a file without a last line end and with Windows line ends reads") {
    const auto settings = parse_settings("f", "[profile a]\r\ndscp = 26\r\nservice_level = 3");
    REQUIRE(settings);
    CHECK(settings->profiles[0].service_level == 3);
}

TEST_CASE("a configuration that others could have written is refused") {
    if (::geteuid() != 0) {
        WARN("needs root to make files of other owners");
        return;
    }
    TemporaryDirectory directory;
    directory.write("ferrule.conf", "[profile a]\ndscp = 26\n");
    const std::string path = directory.path() + "/ferrule.conf";
    REQUIRE(load_settings(path, Trust::RootOnly));

    SECTION("writable by everybody") {
        REQUIRE(::chmod(path.c_str(), 0666) == 0);
        CHECK_THAT(load_settings(path, Trust::RootOnly).error().text,
                   Catch::Matchers::EndsWith("(mode 0666); chmod go-w it"));
    }
    SECTION("writable by its group") {
        REQUIRE(::chmod(path.c_str(), 0664) == 0);
        CHECK_FALSE(load_settings(path, Trust::RootOnly));
    }
    SECTION("of another owner") {
        REQUIRE(::chown(path.c_str(), 65534, 0) == 0);
        CHECK_THAT(load_settings(path, Trust::RootOnly).error().text,
                   Catch::Matchers::EndsWith("owned by uid 65534; chown root it"));
    }
    SECTION("in a folder where others may replace it") {
        REQUIRE(::chmod(directory.path().c_str(), 0777) == 0);
        CHECK_FALSE(load_settings(path, Trust::RootOnly));
    }
    SECTION("a link to a file of another owner") {
        directory.write("theirs", "[profile a]\n");
        REQUIRE(::chown((directory.path() + "/theirs").c_str(), 65534, 0) == 0);
        fs::create_symlink("theirs", directory.path() + "/link");
        CHECK_FALSE(load_settings(directory.path() + "/link", Trust::RootOnly));
    }
    SECTION("behind a link into a folder where others may replace it") {
        fs::create_directory(directory.path() + "/open");
        directory.write("open/ferrule.conf", "[profile a]\n");
        REQUIRE(::chmod((directory.path() + "/open").c_str(), 0777) == 0);
        fs::create_symlink("open/ferrule.conf", directory.path() + "/link");
        CHECK_FALSE(load_settings(directory.path() + "/link", Trust::RootOnly));
    }
    SECTION("no file at all, but a directory or a pipe") {
        fs::create_directory(directory.path() + "/dir");
        CHECK_FALSE(load_settings(directory.path() + "/dir", Trust::RootOnly));
        REQUIRE(::mkfifo((directory.path() + "/pipe").c_str(), 0600) == 0);
        CHECK_FALSE(load_settings(directory.path() + "/pipe", Trust::RootOnly));
    }
}

TEST_CASE("an absent configuration says so by its code") {
    TemporaryDirectory directory;
    CHECK(load_settings(directory.path() + "/none.conf", Trust::RootOnly).error().code ==
          std::errc::no_such_file_or_directory);
    CHECK(load_settings("/no/such/folder/ferrule.conf", Trust::RootOnly).error().code ==
          std::errc::no_such_file_or_directory);
}
