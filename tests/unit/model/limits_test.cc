// What a site writes in numbers: ranges, versions, events in a time.
#include "fabric/model/event_limit.h"
#include "fabric/model/number_range.h"
#include "fabric/model/version_rule.h"
#include "tests/support/catch.h"

using namespace ferrule;

namespace {

constexpr std::uint64_t kMost = std::numeric_limits<std::uint64_t>::max();

}  // namespace

TEST_CASE("a range is a number, a lower bound, or both bounds") {
    struct Case {
        const char* text;
        Unit unit;
        NumberRange range;
        const char* printed;
    };

    const Case it = GENERATE(
        Case{"9000", Unit::One, {9000, 9000}, "9000"},
        Case{" 9000+ ", Unit::One, {9000, kMost}, "9000+"},
        Case{"40 - 100", Unit::One, {40, 100}, "40-100"}, Case{"0", Unit::One, {0, 0}, "0"},
        Case{"0+", Unit::One, {0, kMost}, "0+"}, Case{"400", Unit::Tenth, {4000, 4000}, "400"},
        Case{"2.5", Unit::Tenth, {25, 25}, "2.5"},
        Case{"2.5-32.0", Unit::Tenth, {25, 320}, "2.5-32"},
        Case{"200+", Unit::Tenth, {2000, kMost}, "200+"});
    INFO(it.text);
    REQUIRE(parse_number_range(it.text, it.unit) == it.range);
    CHECK(to_text(it.range, it.unit) == it.printed);
    CHECK(parse_number_range(it.printed, it.unit) == it.range);
}

TEST_CASE("what is no range is refused") {
    const char* const text =
        GENERATE("", "+", "-", "-5", "5-", "5-4", "5-6+", "5++", "x", "5x", "2.5", "1.", ".5",
                 "1e3", "0x10", "18446744073709551616", "5-6-7", "5 6");
    INFO(text);
    CHECK_FALSE(parse_number_range(text));
}

TEST_CASE("tenths have one digit") {
    const char* const text = GENERATE("2.55", "2.", "2.x", ".5", "2.+5", "2.-5");
    INFO(text);
    CHECK_FALSE(parse_number_range(text, Unit::Tenth));
}

TEST_CASE("a range contains its bounds") {
    const NumberRange range{40, 100};
    CHECK(range.contains(40));
    CHECK(range.contains(100));
    CHECK_FALSE(range.contains(39));
    CHECK_FALSE(range.contains(101));
}

TEST_CASE("versions compare by their parts, numbers as numbers") {
    struct Case {
        const char* older;
        const char* newer;
    };

    const Case it = GENERATE(Case{"28.9", "28.39"}, Case{"28.39", "28.39.1002"}, Case{"", "1"},
                             Case{"1.2", "1.10"}, Case{"24.10-0.6.9", "24.10-0.7.0"},
                             Case{"6.8.0-45-generic", "6.8.0-100-generic"}, Case{"1a", "1b"},
                             Case{"99999999999999999999", "100000000000000000000"});
    INFO(it.older);
    CHECK(compare_versions(it.older, it.newer) == std::strong_ordering::less);
    CHECK(compare_versions(it.newer, it.older) == std::strong_ordering::greater);
    CHECK(compare_versions(it.newer, it.newer) == std::strong_ordering::equal);
}

TEST_CASE("leading zeros and other separators make no difference") {
    CHECK(compare_versions("28.039", "28.39") == std::strong_ordering::equal);
    CHECK(compare_versions("28-39", "28.39") == std::strong_ordering::equal);
    CHECK(compare_versions("v1.0", "v1.00") == std::strong_ordering::equal);
}

TEST_CASE("rules of versions are alternatives, each exact or at least") {
    const auto rules = parse_version_rules(" 28.39.1002 , 28.41+").value();
    REQUIRE(rules.size() == 2);
    CHECK(to_text(rules) == "28.39.1002 or 28.41+");
    CHECK(rules[0].fits("28.39.1002"));
    CHECK_FALSE(rules[0].fits("28.39.1003"));
    CHECK(rules[1].fits("28.41"));
    CHECK(rules[1].fits("29.1"));
    CHECK_FALSE(rules[1].fits("28.40.9999"));
    CHECK_FALSE(rules[1].fits(""));
}

TEST_CASE("what is no rule of versions is refused") {
    const char* const text = GENERATE("", " ", ",", "28,", "+", "new", "28 39", "28.39 or 28.41");
    INFO(text);
    CHECK_FALSE(parse_version_rules(text));
}

TEST_CASE("a limit is events in a time, and prints in the largest unit") {
    struct Case {
        const char* text;
        EventLimit limit;
        const char* printed;
    };

    const Case it = GENERATE(Case{"120/1h", {120, 3600}, "120/1h"},
                             Case{" 2 / 5m ", {2, 300}, "2/5m"}, Case{"10/1s", {10, 1}, "10/1s"},
                             Case{"0/24h", {0, 86400}, "0/1d"}, Case{"3/90m", {3, 5400}, "3/90m"});
    INFO(it.text);
    REQUIRE(parse_event_limit(it.text) == it.limit);
    CHECK(to_text(it.limit) == it.printed);
    CHECK(parse_event_limit(it.printed) == it.limit);
}

TEST_CASE("what is no limit is refused") {
    const char* const text = GENERATE("", "5", "5/", "/5m", "5/0s", "5/5", "5/5w", "-1/5m", "5/-5m",
                                      "5/5m/5m", "5/10001d", "x/5m", "5/m");
    INFO(text);
    CHECK_FALSE(parse_event_limit(text));
}

TEST_CASE("no time at all prints as seconds") {
    CHECK(seconds_text(0) == "0s");
    CHECK(seconds_text(61) == "61s");
    CHECK(seconds_text(172800) == "2d");
}
