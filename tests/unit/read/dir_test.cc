#include "fabric/read/dir.h"

#include "tests/support/catch.h"
#include "tests/support/machine.h"

using namespace ferrule;
using namespace ferrule::testing;

TEST_CASE("an attribute is the text of its file without the line end") {
    TemporaryDirectory tree;
    tree.write("state", "4: ACTIVE\n");
    tree.write("empty", "");
    tree.write("page", std::string(kAttributeLimit, 'x'));
    tree.write("nearly", std::string(kAttributeLimit - 1, 'x'));
    const Dir dir = Dir::open(tree.path()).value();
    CHECK(dir.attribute("state") == "4: ACTIVE");
    CHECK(dir.attribute("empty")->empty());
    CHECK(dir.attribute("nearly")->size() == kAttributeLimit - 1);
    CHECK(dir.attribute("page").error().code == std::errc::file_too_large);
    CHECK(dir.attribute("none").error().code == std::errc::no_such_file_or_directory);
    CHECK(dir.attribute(".").error().code == std::errc::is_a_directory);
}

TEST_CASE("a text file is read whole or refused, never cut") {
    TemporaryDirectory tree;
    tree.write("long", std::string(10000, 'x'));
    const Dir dir = Dir::open(tree.path()).value();
    CHECK(dir.text("long", 10000)->size() == 10000);
    CHECK(dir.text("long", 9999).error().code == std::errc::file_too_large);
}

TEST_CASE("a listing is in natural order") {
    TemporaryDirectory tree;
    for (const char* name : {"mlx5_10", "mlx5_2", "mlx5_0"}) {
        tree.write(name, "");
    }
    CHECK(Dir::open(tree.path())->list() ==
          std::vector<std::string>{"mlx5_0", "mlx5_2", "mlx5_10"});
}
