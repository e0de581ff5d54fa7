// The moment at which a wait gives up. Every wait in Ferrule takes one.
#pragma once

#include <algorithm>
#include <chrono>

namespace ferrule {

class Deadline {
  public:
    using Clock = std::chrono::steady_clock;

    explicit Deadline(std::chrono::milliseconds from_now) : end_{Clock::now() + from_now} {}

    // Never negative, rounded up, so that a poll() with it does not spin.
    [[nodiscard]] std::chrono::milliseconds left() const {
        return std::max(std::chrono::ceil<std::chrono::milliseconds>(end_ - Clock::now()),
                        std::chrono::milliseconds{0});
    }

  private:
    Clock::time_point end_;
};

}  // namespace ferrule
