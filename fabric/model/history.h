// What is remembered of a node between two runs of the health check, so that counters are judged
// by their growth and settings by their change.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace ferrule {

// Bounds of what is kept; more is a broken file.
inline constexpr std::size_t kMostIncrements = 32;
inline constexpr std::size_t kMostTracks = 16384;
inline constexpr std::uint64_t kLongestMemoryMs = 24ULL * 3600 * 1000;

// Events that one reading saw: they came since the reading before it. In milliseconds since the
// boot.
struct Increment {
    std::uint64_t from_ms{0};
    std::uint64_t at_ms{0};
    std::uint64_t events{0};

    bool operator==(const Increment&) const = default;
};

// One counter: its last value, when that was read, and how it grew.
struct CounterTrack {
    std::uint64_t last{0};
    std::uint64_t seen_ms{0};
    // Oldest first.
    std::vector<Increment> increments{};

    bool operator==(const CounterTrack&) const = default;
};

// Statements about a node that can be held against each other: "mlx5_0/1 rate" = "400 Gb/sec".
using Facts = std::map<std::string, std::string>;

// Which check failed for which object.
using Failure = std::pair<std::string, std::string>;

struct RunRecord {
    // Seconds since 1970; 0 where there was no such run.
    std::int64_t time{0};
    Facts facts{};
    std::vector<Failure> failures{};

    bool operator==(const RunRecord&) const = default;
};

struct History {
    // Of the last run. Counters and times count from that boot.
    std::string boot_id{};
    std::uint64_t uptime_ms{0};
    // By object and name: "mlx5_0/1 counters/symbol_error".
    std::map<std::string, CounterTrack> counters{};
    // Since when a state lasts: "mlx5_0/1 INIT", in milliseconds since the boot.
    std::map<std::string, std::uint64_t> since{};
    // Files that a driver refused to give, and its errno: not asked again until the next boot.
    std::map<std::string, int> refused{};
    RunRecord last{};
    // The last run without a failure.
    RunRecord good{};

    bool operator==(const History&) const = default;
};

}  // namespace ferrule
