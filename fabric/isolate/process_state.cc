#include "fabric/isolate/process_state.h"

#include "fabric/base/text.h"
#include "fabric/read/dir.h"

#include <fmt/format.h>

#include <cstdint>

namespace ferrule {

namespace {

std::string attribute_of(const Dir& proc, pid_t pid, const char* name) {
    return proc.attribute(fmt::format("{}/{}", pid, name).c_str()).value_or(std::string{});
}

std::chrono::nanoseconds nanoseconds_of(std::string_view text) {
    return std::chrono::nanoseconds{parse_number<std::int64_t>(text).value_or(0)};
}

}  // namespace

ProcessState process_state(pid_t pid) {
    ProcessState state{};
    const auto proc = Dir::open("/proc");
    if (!proc) {
        return state;
    }
    // The name in brackets may hold anything; the state stands behind the last of them.
    const std::string line = attribute_of(*proc, pid, "stat");
    const std::size_t name_end = line.rfind(')');
    state.runnable = name_end != std::string::npos && line.compare(name_end, 3, ") R") == 0;
    const std::string scheduled = attribute_of(*proc, pid, "schedstat");
    if (const auto fields = split(scheduled, ' '); fields.size() >= 2) {
        state.ran = nanoseconds_of(fields[0]);
        state.queued = nanoseconds_of(fields[1]);
    }
    const std::string channel = attribute_of(*proc, pid, "wchan");
    state.waits_at = channel == "0" ? std::string{} : channel;
    return state;
}

bool is_starved(const ProcessState& state, std::chrono::nanoseconds after) {
    // Short of memory, its own code is not even there.
    if (state.waits_at.starts_with("folio_wait") || state.waits_at == "io_schedule") {
        return true;
    }
    // A wait for a processor is counted when it ends.
    const auto kept_waiting = state.runnable ? after - state.ran : state.queued;
    return kept_waiting > after / 2;
}

}  // namespace ferrule
