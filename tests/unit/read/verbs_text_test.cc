// Answers of verbs as text and back.
#include "fabric/read/verbs_text.h"

#include "tests/support/catch.h"
#include "tests/support/machine.h"

#include <cerrno>

using namespace ferrule;
using namespace ferrule::testing;

namespace {

Hca with_ports(std::initializer_list<unsigned> numbers) {
    Hca hca{};
    hca.name = "mlx5_0";
    for (const unsigned number : numbers) {
        hca.ports.emplace_back().number = number;
    }
    return hca;
}

}  // namespace

TEST_CASE("an answer is the same after it was text") {
    for (const VerbsAnswer& answer :
         {VerbsAnswer{}, VerbsAnswer{ENODEV, {}},
          VerbsAnswer{0, {{1, 1024, 4096}, {2, {}, 4096}, {12, {}, {}}}}}) {
        CHECK(parse_verbs(to_text(answer)) == answer);
    }
    CHECK(to_text(VerbsAnswer{0, {{1, 1024, {}}}}) ==
          "open_error 0\nport 1 active_mtu 1024 max_mtu 0\n");
}

TEST_CASE("other lines are no answer") {
    CHECK(parse_verbs("\n\nopen_error 5\n\n")->open_error == 5);
    for (const char* text :
         {"open_error", "open_error -1", "open_error x", "open_error 0 1", "port 1",
          "port 1 active_mtu 1024 max_mtu", "port 1 max_mtu 1024 active_mtu 1024",
          "port x active_mtu 1 max_mtu 1", "port 1 active_mtu 4294967296 max_mtu 1", "mtu 1"}) {
        INFO(text);
        const auto answer = parse_verbs(text);
        REQUIRE_FALSE(answer);
        CHECK(answer.error().text == "\"" + std::string{text} + "\" not understood");
    }
}

TEST_CASE("an answer is taken by port number, and ports that the device has not are left out") {
    Hca hca = with_ports({1, 3});
    take_verbs({0, {{3, 2048, 4096}, {2, 256, 512}}}, hca);
    CHECK(hca.open_error == 0);
    CHECK_FALSE(hca.ports[0].active_mtu);
    CHECK(hca.ports[1].active_mtu == 2048U);
    CHECK(hca.ports[1].max_mtu == 4096U);
}

TEST_CASE("a captured tree has one file for each device, or none") {
    TemporaryDirectory tree;
    const Dir root = Dir::open(tree.path()).value();
    std::vector<ReadProblem> problems;
    Hca hca = with_ports({1});
    read_captured_verbs(root, hca, problems);
    CHECK(hca == with_ports({1}));
    tree.write("ferrule/verbs/mlx5_0", "open_error 0\nport 1 active_mtu 4096 max_mtu 4096\n");
    read_captured_verbs(root, hca, problems);
    CHECK(hca.open_error == 0);
    CHECK(hca.ports[0].active_mtu == 4096U);
    CHECK(problems.empty());
    tree.write("ferrule/verbs/mlx5_0", "nonsense\n");
    read_captured_verbs(root, hca, problems);
    REQUIRE(problems.size() == 1);
    CHECK(problems[0].where == "ferrule/verbs/mlx5_0");
    CHECK(problems[0].what == "\"nonsense\" not understood");
}
