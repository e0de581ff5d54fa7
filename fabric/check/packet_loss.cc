#include "fabric/check/checks.h"
#include "fabric/check/counter_words.h"

namespace ferrule {

void check_packet_loss(const CheckInput& input, Findings& findings) {
    judge_counters(input, "packet-loss", findings);
}

}  // namespace ferrule
