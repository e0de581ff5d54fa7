// Where a report goes besides standard output.
#pragma once

#include "fabric/base/result.h"
#include "fabric/model/finding.h"

#include <string>

namespace ferrule {

// Replaces the file by the metrics of the report in one step, readable by all.
[[nodiscard]] Result<void> write_textfile(const std::string& path, const Report& report);

// One line for each failure and each unknown, and one for the verdict.
void write_syslog(const Report& report);

}  // namespace ferrule
