// How counters grow: which of a snapshot's are followed, and what a new reading adds to history.
// Pure.
#pragma once

#include "fabric/check/counter_table.h"
#include "fabric/check/scope.h"
#include "fabric/model/history.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ferrule {

// A counter with a meaning, as this snapshot has it.
struct FollowedCounter {
    // Of the history: "mlx5_0/1 counters/symbol_error".
    std::string key{};
    // "mlx5_0/1", "mlx5_0" or "ens1f0np0": whose counter it is.
    std::string object{};
    // "symbol_error".
    std::string name{};
    const CounterRow* row{nullptr};
    std::optional<unsigned> priority{};
    std::uint64_t value{0};
    // Its port; of a bond's member too.
    const ScopedPort* port{nullptr};
};

// Those of the ports in scope, their devices and interfaces.
[[nodiscard]] std::vector<FollowedCounter> followed_counters(const NodeSnapshot& snapshot,
                                                             const Scope& scope);

// The history with this snapshot's counters taken in. Another boot begins anew; a counter that went
// backwards was reset, or is a 32-bit one that wrapped; one that stands at its maximum does not
// grow any more. What was not read for a day is forgotten. The records of runs are left as they
// are.
[[nodiscard]] History advance(const History& before, const NodeSnapshot& snapshot,
                              const std::vector<FollowedCounter>& counters);

// "ACTIVE/LinkUp", "INIT/LinkUp": by which history knows how long a state lasts.
[[nodiscard]] std::string state_text(const Port& port);

// Events within the last `seconds`. Those of a reading came at any time since the one before, so
// that of a reading at the edge of the window only its share counts. 0 for a counter that is
// followed for the first time.
[[nodiscard]] std::uint64_t events_within(const CounterTrack& track, std::uint64_t now_ms,
                                          std::uint64_t seconds);

// Of the counter with this key; 0 for one that history does not follow.
[[nodiscard]] std::uint64_t events_within(const History& history, const std::string& key,
                                          std::uint64_t seconds);

// As they are, without spreading over time.
[[nodiscard]] std::uint64_t events_counted(const CounterTrack& track, std::uint64_t now_ms,
                                           std::uint64_t seconds);

}  // namespace ferrule
