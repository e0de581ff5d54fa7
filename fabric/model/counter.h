// Figures that only grow, as a driver names them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace ferrule {

// One figure that could be read; one that could not is a ReadProblem.
struct Counter {
    std::string name{};
    std::uint64_t value{0};

    bool operator==(const Counter&) const = default;
};

using Counters = std::vector<Counter>;

}  // namespace ferrule
