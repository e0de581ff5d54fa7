#include "fabric/nccl/name_list.h"

#include "tests/support/catch.h"

#include <array>
#include <string>
#include <utility>
#include <vector>

using namespace ferrule;

namespace {

constexpr NcclVersion kNew{2, 30, 7};
constexpr NcclVersion kOld{2, 18, 3};

struct Device {
    const char* name;
    int port;
};

constexpr std::array kDevices{Device{"mlx5_0", 1},  Device{"mlx5_1", 1},  Device{"mlx5_2", 1},
                              Device{"mlx5_10", 1}, Device{"mlx5_11", 1}, Device{"mlx5_bond_0", 1},
                              Device{"mlx4_0", 1},  Device{"mlx4_0", 2}};

// "0 1 10": what is left of the devices' names, mlx5_ dropped.
std::string admitted(std::string_view text, const NcclVersion& version) {
    const NameList list = parse_name_list(text, NamesOf::Hcas, version);
    std::string all;
    for (const Device& device : kDevices) {
        if (admits(list, device.name, device.port)) {
            const std::string name = device.name;
            all += all.empty() ? "" : " ";
            all += name.starts_with("mlx5_") ? name.substr(5)
                                             : name + ":" + std::to_string(device.port);
        }
    }
    return all;
}

}  // namespace

TEST_CASE("every spelling of NCCL_IB_HCA takes the devices that NCCL's source says") {
    const std::string all = "0 1 2 10 11 bond_0 mlx4_0:1 mlx4_0:2";
    const std::vector<std::pair<std::string, std::string>> vectors{
        {"", all},
        {"mlx5_1", "1 10 11"},
        {"=mlx5_1", "1"},
        {"mlx5_1:1", "1 10 11"},
        {"=mlx5_1:1", "1"},
        {"mlx5_1:0", ""},
        {"mlx5_1:x", ""},
        {"^mlx5_1", "0 2 bond_0 mlx4_0:1 mlx4_0:2"},
        {"^=mlx5_1", "0 2 10 11 bond_0 mlx4_0:1 mlx4_0:2"},
        {"=^mlx5_1", ""},
        {"==mlx5_1", ""},
        {"mlx5", "0 1 2 10 11 bond_0"},
        {"^mlx5_bond", "0 1 2 10 11 mlx4_0:1 mlx4_0:2"},
        {"=mlx5_0, mlx5_1", "0"},
        {"=mlx5_0,=mlx5_1", "0"},
        {"^mlx5_0,^mlx5_1", "1 2 10 11 bond_0 mlx4_0:1 mlx4_0:2"},
        {"=mlx4_0", "mlx4_0:1 mlx4_0:2"},
        {"=mlx4_0:2", "mlx4_0:2"},
        {"^=mlx4_0:2", "0 1 2 10 11 bond_0 mlx4_0:1"},
        {"mlx5_0,", "0"},
        {":1,mlx5_0", "0"},
        {"^", ""},
        {"^=", ""},
    };
    for (const auto& [text, expected] : vectors) {
        INFO(text);
        CHECK(admitted(text, kNew) == expected);
        CHECK(admitted(text, kOld) == expected);
    }
}

TEST_CASE("a colon with nothing behind it is every port since 2.30.7, and none before") {
    CHECK(admitted("=mlx5_1:", kNew) == "1");
    CHECK(admitted("=mlx5_1:", kOld).empty());
    CHECK(admitted("=mlx5_1:1:3:0", kNew) == "1");
    CHECK(admitted("=mlx5_1::3", kNew) == "1");
}

TEST_CASE("entries beyond the limit are dropped, and the limit grew with 2.18.5") {
    std::string text;
    for (int i = 0; i < 40; ++i) {
        text += "mlx5_" + std::to_string(i) + ",";
    }
    CHECK(parse_name_list(text, NamesOf::Hcas, kOld).dropped == 24);
    CHECK(parse_name_list(text, NamesOf::Hcas, kNew).dropped == 8);
    CHECK(parse_name_list(text, NamesOf::Interfaces, kNew).dropped == 24);
}

TEST_CASE("of an interface's name NCCL takes what is in front of the colon") {
    const NameList list = parse_name_list("eth0:1,eth1", NamesOf::Interfaces, kNew);
    CHECK(list.entries.front() == NameEntry{"eth0", {}});
    CHECK(admits(list, "eth0", {}));
}
