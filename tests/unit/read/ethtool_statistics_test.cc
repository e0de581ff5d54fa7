#include "fabric/read/ethtool_statistics.h"

#include "tests/support/catch.h"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

using namespace ferrule;

namespace {

std::vector<std::byte> names_of(const std::vector<std::string>& names) {
    std::string bytes;
    for (const std::string& name : names) {
        bytes += name + std::string(kStatisticNameSize - name.size(), '\0');
    }
    const auto raw = std::as_bytes(std::span{bytes});
    return {raw.begin(), raw.end()};
}

}  // namespace

TEST_CASE("names and values become counters, in the driver's order") {
    const std::vector<std::uint64_t> values{7, 0, 18446744073709551615U};
    CHECK(counters_of(names_of({"rx_prio3_pause", "  Tx Queue#", "[0]: rx_drops"}), values) ==
          Counters{
              {"rx_prio3_pause", 7}, {"Tx Queue#", 0}, {"[0]: rx_drops", 18446744073709551615U}});
    CHECK(counters_of({}, {}) == Counters{});
}

TEST_CASE("names end at their NUL, fill their place, and print") {
    const std::string full(kStatisticNameSize, 'a');
    const std::vector<std::uint64_t> values{1, 2, 3, 4};
    CHECK(counters_of(names_of({full, std::string{"rx\0tx", 5}, "bad\x1b\n", ""}), values) ==
          Counters{{full, 1}, {"rx", 2}, {R"(bad\x1b)", 3}});
}

TEST_CASE("another number of names than of values is an error") {
    const std::vector<std::uint64_t> values{1, 2};
    auto names = names_of({"a", "b"});
    names.pop_back();
    CHECK(counters_of(names, values).error().code == std::errc::bad_message);
    CHECK_FALSE(counters_of(names_of({"a", "b", "c"}), values));
}

TEST_CASE("counters written as text read back") {
    const Counters counters{{"rx_prio3_pause", 7}, {"[0]: rx_drops", 18446744073709551615U}};
    CHECK(format_statistics(counters) ==
          "rx_prio3_pause: 7\n[0]: rx_drops: 18446744073709551615\n");
    CHECK(parse_statistics(format_statistics(counters)) == counters);
    CHECK(parse_statistics("") == Counters{});
}

TEST_CASE("what ethtool prints reads too, and what is no figure is an error with its line") {
    CHECK(parse_statistics("NIC statistics:\n     rx_packets: 12\n     tx packets:0\n\n") ==
          Counters{{"rx_packets", 12}, {"tx packets", 0}});
    for (const char* line :
         {"rx_packets", "rx_packets:", "rx_packets: -1", "rx: 1x", ": 5", "a\x01: 5", "\xc3\xa4: 1",
          "rx: 18446744073709551616", "Other statistics:"}) {
        const auto counters = parse_statistics("a: 1\n" + std::string{line} + "\n");
        REQUIRE_FALSE(counters);
        CHECK(counters.error().text == R"(line 2: not "name: value")");
    }
}
