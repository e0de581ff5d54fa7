// Neighbours as the daemon lldpd tells them: the text of `lldpcli -f json show neighbors details`.
// Pure.
// Source: src/client/json_writer.c and display.c of lldpd 1.0.16. The TLVs of DCBX are not known to
// lldpd and stand there as bytes, where it is built so (as Debian's is).
#pragma once

#include "fabric/base/result.h"
#include "fabric/model/lldp.h"

#include <map>
#include <string>
#include <string_view>

namespace ferrule {

// The first LLDP neighbour of each interface; what came by another protocol is left out. No
// neighbours at all are an empty map. std::errc::bad_message where the text is no JSON, is of
// another form, or has a TLV in it that is too short for what it should hold.
[[nodiscard]] Result<std::map<std::string, LldpNeighbour>> parse_lldpd_json(std::string_view text);

}  // namespace ferrule
