#include "fabric/check/checks.h"
#include "fabric/check/counter_words.h"

namespace ferrule {

void check_corruption(const CheckInput& input, Findings& findings) {
    judge_counters(input, "corruption", findings);
}

}  // namespace ferrule
