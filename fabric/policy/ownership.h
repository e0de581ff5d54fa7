// Who owns a variable: the user, or Ferrule on this or another node of the job. Pure.
//
// What Ferrule sets on the first node travels with the batch script's environment to every later
// step. A marker variable records name and value of all that Ferrule wrote, and so:
//   absent                        -> set, and record
//   present, equal to the record  -> ours, perhaps from another node: replace, or take away
//   present, anything else        -> the user's, an empty value too: keep
#pragma once

#include "fabric/model/plan.h"
#include "fabric/model/profile.h"
#include "fabric/model/variables.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ferrule {

inline constexpr const char* kMarkerName = "FERRULE_SET";

// One thing to do. Without a value the variable is taken away.
struct EnvWrite {
    std::string name{};
    std::optional<std::string> value{};

    bool operator==(const EnvWrite&) const = default;
};

struct Kept {
    std::string name{};
    std::string value{};
    // The value the plan had for it; empty when it had none.
    std::string planned{};

    bool operator==(const Kept&) const = default;
};

struct Ownership {
    // What changes, in the order of the plan; the marker is not among them.
    std::vector<EnvWrite> writes{};
    // What Ferrule owns afterwards, as name and value: the new content of the marker.
    Environment owned{};
    std::vector<Kept> kept{};
};

// "NAME=value;NAME=value"; "%" and ";" in values stand as %25 and %3B. A piece that is none, or
// names no variable, is dropped: the marker comes from the user's environment and is not to be
// trusted.
[[nodiscard]] Environment parse_marker(std::string_view text);
[[nodiscard]] std::string to_marker(const Environment& owned);

[[nodiscard]] Ownership settle_ownership(const std::vector<EnvChange>& plan,
                                         const Environment& current);

// What is to be done once a container's image has brought values of its own: `before` was settled
// without them, `current` is the environment now. ImageValues::Replaced writes again what the plan
// has for every variable that was Ferrule's to decide, and takes away what the plan left open for
// the sake of one of them; ImageValues::Kept takes the image's values for the user's.
[[nodiscard]] Ownership settle_image(const std::vector<EnvChange>& plan, const Ownership& before,
                                     const Environment& current, ImageValues image_values);

// The environment once all of it is done, the marker included.
[[nodiscard]] Environment environment_after(const Ownership& ownership, Environment current);

}  // namespace ferrule
