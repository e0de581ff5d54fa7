// Directories of counters of an RDMA device or port: counters/ and hw_counters/.
// Source: Documentation/ABI/stable/sysfs-class-infiniband of Linux 6.12; the widths at which the
// figures of counters/ stick are those of InfiniBand's performance management, 16.1.3.5.
#pragma once

#include "fabric/model/counter.h"
#include "fabric/read/attributes.h"

#include <optional>
#include <set>
#include <string>

namespace ferrule {

// In natural order of names; nothing where there is no such directory. `at` are the attributes of
// the directory that holds it. "lifespan", the age that the driver's cache may reach, is a setting
// and left out. A figure that is no number ("N/A (no PMA)" of old kernels) or cannot be read is a
// problem and no counter; the path of one in `refused` is not asked for at all.
//
// Drivers list what an adapter's firmware may then refuse, and each refusal is a command to that
// firmware: whoever reads again passes the paths of is_refusal().
[[nodiscard]] std::optional<Counters> read_counters(const Attributes& at, const char* folder,
                                                    const std::set<std::string>& refused);

// The device will not tell this now or later, as its error says: EINVAL, EIO, EOPNOTSUPP, ENOTSUP
// or ENODATA.
[[nodiscard]] bool is_refusal(const ReadProblem& problem);

}  // namespace ferrule
