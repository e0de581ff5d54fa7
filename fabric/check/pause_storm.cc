#include "fabric/check/checks.h"
#include "fabric/check/counter_words.h"

namespace ferrule {

void check_pause_storm(const CheckInput& input, Findings& findings) {
    judge_counters(input, "pause-storm", findings);
}

}  // namespace ferrule
