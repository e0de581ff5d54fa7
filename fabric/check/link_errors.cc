#include "fabric/check/checks.h"
#include "fabric/check/counter_words.h"

namespace ferrule {

void check_link_errors(const CheckInput& input, Findings& findings) {
    judge_counters(input, "link-errors", findings);
}

}  // namespace ferrule
