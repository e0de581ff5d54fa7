#include "healthcheck/memory.h"

#include "fabric/base/deadline.h"
#include "fabric/state/history_text.h"

#include <chrono>
#include <thread>

namespace ferrule {

namespace {

constexpr const char* kHistory = "health.history";
constexpr std::size_t kMostBytes = 16U << 20U;

// A run that begins while another is at work, as a prolog may, waits for it a little.
Result<bool> lock_of(StateDir& dir) {
    constexpr std::chrono::milliseconds kPatience{2000};
    constexpr std::chrono::milliseconds kPause{20};
    const Deadline deadline{kPatience};
    auto locked = dir.lock();
    while (locked && !*locked && deadline.left().count() > 0) {
        std::this_thread::sleep_for(kPause);
        locked = dir.lock();
    }
    return locked;
}

}  // namespace

Result<Memory> Memory::open(const std::string& path) {
    Memory memory{};
    if (path.empty()) {
        return memory;
    }
    auto dir = StateDir::open(path);
    auto locked = dir ? lock_of(*dir) : Result<bool>{tl::unexpected{dir.error()}};
    if (!locked) {
        memory.warnings_.push_back(locked.error().text + "; this run remembers nothing");
        return memory;
    }
    if (!*locked) {
        const LockHolder holder = dir->holder();
        return fail(std::errc::device_or_resource_busy,
                    "another run (pid " + std::to_string(holder.pid) + ") has been at it for " +
                        std::to_string(holder.age) +
                        " s; if it hangs, look at what it waits for "
                        "in /proc/" +
                        std::to_string(holder.pid) + "/stack");
    }
    const auto content = dir->load(kHistory, kMostBytes);
    auto history = content.and_then([](const std::string& text) { return parse_history(text); });
    if (history) {
        memory.history_ = std::move(*history);
    } else if (history.error().code != std::errc::no_such_file_or_directory) {
        const auto aside = dir->set_aside(kHistory);
        memory.warnings_.push_back(
            path + "/" + kHistory + " " +
            (aside ? "was set aside as health.history.broken: " : "cannot be used or set aside: ") +
            history.error().text);
    }
    memory.dir_ = std::move(*dir);
    return memory;
}

Result<void> Memory::keep(const History& history) const {
    return dir_ ? dir_->save(kHistory, to_text(history)) : Result<void>{};
}

}  // namespace ferrule
