// What the counters of drivers mean: one table of names. Pure.
// Source: InfiniBand specification 16.1.3.5 (PortCounters); Documentation/networking/
// device_drivers/ethernet/mellanox/mlx5/counters.rst; the drivers of Linux 6.1 and 6.12.
#pragma once

#include "fabric/model/event_limit.h"
#include "fabric/model/finding.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace ferrule {

// Where a counter is found.
enum class CounterPlace { Port, Hardware, Statistics, Pci };

struct CounterRow {
    // '#' stands for the number of a priority or a traffic class.
    std::string_view name;
    CounterPlace place;
    // A row of counter_meanings().
    std::string_view meaning;
    // At 4, 8, 16 and 32 bits a port's counter sticks at its maximum; 64 never ends.
    unsigned bits;
};

struct FoundCounter {
    const CounterRow* row{nullptr};
    std::optional<unsigned> priority{};
};

// A row of nullptr for a counter that tells nothing about health.
[[nodiscard]] FoundCounter find_counter(CounterPlace place, std::string_view name);

// Which counters are alike, which check judges them, and how many events are too many.
struct CounterMeaning {
    // What a profile calls it: "symbol_error".
    std::string_view name;
    std::string_view check;
    EventLimit limit;
    Severity severity;
    // What an event is, and what to do about too many.
    std::string_view words;
    std::string_view remedy;
};

[[nodiscard]] std::span<const CounterRow> counter_rows();
[[nodiscard]] std::span<const CounterMeaning> counter_meanings();
// nullptr for an unknown name.
[[nodiscard]] const CounterMeaning* find_meaning(std::string_view name);

// The largest value of a counter that sticks: it means "at least". nullopt for one that does not.
[[nodiscard]] std::optional<std::uint64_t> sticks_at(const CounterRow& row);

}  // namespace ferrule
