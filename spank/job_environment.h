// The environment that the tasks of a step will get, over spank_t. Remote context only.
#pragma once

#include "fabric/base/result.h"
#include "fabric/policy/ownership.h"
#include "spank/slurm_api.h"

#include <string>
#include <vector>

namespace ferrule {

class JobEnvironment {
  public:
    // `spank` is the handle of the callback at hand and outlives this object.
    explicit JobEnvironment(spank_t spank) : spank_{spank} {}

    [[nodiscard]] Result<Environment> read() const;

    // Applies the writes and the new marker, and reads all of it back: Slurm reports success for
    // values that it drops (128 KiB and more). What did not arrive is taken out of the marker and
    // named in the answer. Without the marker nothing is left set, since on the next node it would
    // pass for the user's own.
    [[nodiscard]] std::vector<std::string> apply(const Ownership& ownership) const;

  private:
    void write(const EnvWrite& write) const;
    void write_marker(const Environment& owned) const;

    spank_t spank_;
};

}  // namespace ferrule
