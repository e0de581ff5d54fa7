// The table of counters: every row has a meaning, and every meaning a check or none on purpose.
#include "fabric/check/counter_table.h"

#include "fabric/check/check.h"
#include "tests/support/catch.h"

#include <set>

using namespace ferrule;

TEST_CASE("every meaning is of a check that there is, or of none") {
    std::set<std::string_view> names;
    for (const CounterMeaning& meaning : counter_meanings()) {
        INFO(meaning.name);
        CHECK(names.insert(meaning.name).second);
        CHECK((meaning.check.empty() || find_check(meaning.check) != nullptr));
        CHECK_FALSE(meaning.words.empty());
        CHECK((meaning.limit.seconds > 0 || meaning.check.empty() || meaning.check == "ecn"));
        CHECK(find_meaning(meaning.name) == &meaning);
    }
    CHECK(find_meaning("no such counter") == nullptr);
}

TEST_CASE("a counter is found by its place and its name") {
    struct Case {
        CounterPlace place;
        const char* name;
        const char* meaning;
        std::optional<unsigned> priority;
    };

    const Case it =
        GENERATE(Case{CounterPlace::Port, "symbol_error", "symbol_error", {}},
                 Case{CounterPlace::Hardware, "symbol_error", "", {}},
                 Case{CounterPlace::Hardware, "link_downed", "link_down", {}},
                 Case{CounterPlace::Statistics, "rx_prio3_discards", "priority_discard", 3U},
                 Case{CounterPlace::Statistics, "rx_prio8_discards", "", {}},
                 Case{CounterPlace::Statistics, "rx_prio#_discards", "priority_discard", {}},
                 Case{CounterPlace::Statistics, "rx_prio10_discards", "", {}},
                 Case{CounterPlace::Statistics, "rx_discard_packets_cos7", "priority_discard", 7U},
                 Case{CounterPlace::Statistics, "", "", {}},
                 Case{CounterPlace::Pci, "fatal", "pcie_error", {}});
    INFO(it.name);
    const FoundCounter found = find_counter(it.place, it.name);
    CHECK((found.row == nullptr ? "" : found.row->meaning) == it.meaning);
    CHECK(found.priority == it.priority);
}

TEST_CASE("every counter's meaning is in the table, and only narrow ones stick") {
    struct Case {
        const char* name;
        std::optional<std::uint64_t> most;
    };

    const Case it =
        GENERATE(Case{"symbol_error", 65535U}, Case{"link_downed", 255U},
                 Case{"local_link_integrity_errors", 15U}, Case{"VL15_dropped", 65535U});
    const CounterRow* const row = find_counter(CounterPlace::Port, it.name).row;
    REQUIRE(row != nullptr);
    CHECK(find_meaning(row->meaning) != nullptr);
    CHECK(sticks_at(*row) == it.most);
    CHECK_FALSE(sticks_at(*find_counter(CounterPlace::Pci, "fatal").row).has_value());
}
