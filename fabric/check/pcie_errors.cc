#include "fabric/check/checks.h"
#include "fabric/check/counter_words.h"

namespace ferrule {

void check_pcie_errors(const CheckInput& input, Findings& findings) {
    judge_counters(input, "pcie-errors", findings);
}

}  // namespace ferrule
