#include "fabric/base/text.h"

#include "tests/support/catch.h"

#include <algorithm>

using namespace ferrule;

TEST_CASE("natural order compares runs of digits as numbers") {
    std::vector<std::string> names{"mlx5_10", "mlx5_2", "mlx5_bond_0", "mlx5_1",
                                   "a",       "a1b",    "a01b"};
    std::ranges::sort(names, natural_less);
    CHECK(names == std::vector<std::string>{"a", "a01b", "a1b", "mlx5_1", "mlx5_2", "mlx5_10",
                                            "mlx5_bond_0"});
    CHECK_FALSE(natural_less("mlx5_2", "mlx5_2"));
    CHECK(natural_less("n9", "n99999999999999999999999999"));
}

TEST_CASE("split keeps empty pieces and words does not") {
    CHECK(split("a,,b,", ',') == std::vector<std::string_view>{"a", "", "b", ""});
    CHECK(split("", ',').empty());
    CHECK(words("  a \t b\n") == std::vector<std::string_view>{"a", "b"});
    CHECK(words(" \n").empty());
}

TEST_CASE("numbers take the whole text or nothing") {
    CHECK(parse_number<unsigned>("17") == 17U);
    CHECK_FALSE(parse_number<unsigned>("17 "));
    CHECK_FALSE(parse_number<unsigned>("-1"));
    CHECK_FALSE(parse_number<unsigned>(""));
    CHECK_FALSE(parse_number<std::uint8_t>("256"));
    CHECK(parse_c_number<std::uint16_t>("0xffff") == 0xffff);
    CHECK_FALSE(parse_c_number<std::uint16_t>("0x"));
}

TEST_CASE("text of foreign origin cannot steer a terminal or fill a log") {
    CHECK(printable("a\x1b[31m\n\"") == R"(a\x1b[31m\x0a")");
    CHECK(printable("caf\xc3\xa9") == R"(caf\xc3\xa9)");
    CHECK(printable(std::string(500, 'x'), 10) == "xxxxxxxxxx...");
}
