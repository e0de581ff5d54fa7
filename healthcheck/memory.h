// What the health check remembers between runs, and the lock that keeps runs apart.
#pragma once

#include "fabric/base/result.h"
#include "fabric/model/history.h"
#include "fabric/state/state_dir.h"

#include <optional>
#include <string>
#include <vector>

namespace ferrule {

class Memory {
  public:
    // Without a folder nothing is remembered. What is wrong with it is in `warnings()`; the run
    // goes on without history. An error only where another run holds the lock: it names it.
    [[nodiscard]] static Result<Memory> open(const std::string& path);

    [[nodiscard]] const History& history() const { return history_; }

    [[nodiscard]] const std::vector<std::string>& warnings() const { return warnings_; }

    // Nothing to do without a folder.
    [[nodiscard]] Result<void> keep(const History& history) const;

  private:
    std::optional<StateDir> dir_{};
    History history_{};
    std::vector<std::string> warnings_{};
};

}  // namespace ferrule
