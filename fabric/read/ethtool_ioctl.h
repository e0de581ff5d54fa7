// Asks this machine's driver for the statistics that it names itself, for which there is no netlink
// message.
#pragma once

#include "fabric/base/result.h"
#include "fabric/model/counter.h"

#include <string>

namespace ferrule {

// Names and values as one unit: a driver's list grows and shrinks with its queues and its PFC, and
// one that changed in between is asked for again, three times in all, before it is
// std::errc::resource_unavailable_try_again. std::errc::operation_not_supported where the driver
// names none, std::errc::file_too_large for more than 65536 of them. Needs no privilege. The calls
// end when the driver answers; nothing can cut them short.
[[nodiscard]] Result<Counters> ask_statistics(const std::string& netdev);

}  // namespace ferrule
