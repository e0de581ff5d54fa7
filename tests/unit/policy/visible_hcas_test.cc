#include "fabric/policy/visible_hcas.h"

#include "tests/support/catch.h"
#include "tests/support/state.h"

using namespace ferrule;
using namespace ferrule::testing;

namespace {

// By PCI address: mlx5_1, mlx5_0, an Intel device that the hook does not count, mlx5_2.
NodeSnapshot node() {
    NodeSnapshot snapshot{};
    snapshot.hcas = {infiniband("mlx5_0", "0000:29:00.0"), infiniband("mlx5_1", "0000:18:00.0"),
                     infiniband("mlx5_2", "0000:9a:00.0"), infiniband("irdma0", "0000:40:00.0")};
    snapshot.hcas[3].driver = "ice";
    return snapshot;
}

std::string left(std::string_view value) {
    const NodeSnapshot snapshot = node();
    std::string names;
    for (const Rail& rail :
         visible_rails(choose_rails(snapshot, {}), snapshot, value).choice.rails) {
        names += (names.empty() ? "" : " ") + rail.hca->name;
    }
    return names;
}

}  // namespace

TEST_CASE("the numbers are positions in PCI order among Mellanox devices") {
    CHECK(left("0") == "mlx5_1");
    CHECK(left("0,2") == "mlx5_1 mlx5_2");
    CHECK(left("1") == "mlx5_0");
}

TEST_CASE("what hides nothing, and what cannot be followed, leaves all rails") {
    const std::string all = "mlx5_1 mlx5_0 irdma0 mlx5_2";
    for (const char* value : {"", "all", "void", "none", "3", "mlx5_0", "0,,1"}) {
        INFO(value);
        CHECK(left(value) == all);
    }
    const NodeSnapshot snapshot = node();
    CHECK(visible_rails(choose_rails(snapshot, {}), snapshot, "9").note.find("not followed") !=
          std::string::npos);
    CHECK(visible_rails(choose_rails(snapshot, {}), snapshot, "all").note.empty());
}
