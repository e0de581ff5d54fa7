#include "tests/spank/fake_slurm.h"

#include <array>
#include <cstdarg>
#include <cstdio>

namespace {

using ferrule::testing::slurm;

// The type is an enumeration of its own in some releases and plain numbers in others.
constexpr auto kSuccess = static_cast<spank_err_t>(ESPANK_SUCCESS);
constexpr auto kNotAvailable = static_cast<spank_err_t>(ESPANK_NOT_AVAIL);

void called(const char* function) {
    if (slurm().on_call) {
        slurm().on_call(function);
    }
}

std::string formatted(const char* format, va_list arguments) {
    std::array<char, 4096> buffer{};
    std::vsnprintf(buffer.data(), buffer.size(), format, arguments);
    return buffer.data();
}

char** environment_pointers() {
    auto& host = slurm();
    host.entries.clear();
    host.pointers.clear();
    for (const auto& [name, value] : host.environment) {
        host.entries.push_back(name + "=" + value);
    }
    for (std::string& entry : host.entries) {
        host.pointers.push_back(entry.data());
    }
    host.pointers.push_back(nullptr);
    return host.pointers.data();
}

}  // namespace

struct spank_handle {};

namespace ferrule::testing {

FakeSlurm& slurm() {
    static FakeSlurm host;
    return host;
}

spank_t handle() {
    static spank_handle it;
    return &it;
}

}  // namespace ferrule::testing

#pragma GCC visibility push(default)
extern "C" {

spank_context_t spank_context(void) {
    return slurm().context;
}

int spank_remote(spank_t) {
    called("spank_remote");
    return slurm().context == S_CTX_REMOTE ? 1 : 0;
}

spank_err_t spank_option_register(spank_t, spank_option* option) {
    called("spank_option_register");
    slurm().options.push_back(*option);
    return kSuccess;
}

spank_err_t spank_get_item(spank_t, spank_item_t item, ...) {
    called("spank_get_item");
    va_list arguments;
#pragma GCC diagnostic push
// The signature is Slurm's.
#pragma GCC diagnostic ignored "-Wvarargs"
    va_start(arguments, item);
#pragma GCC diagnostic pop
    spank_err_t status = kSuccess;
    switch (item) {
        case S_JOB_ENV:
            *va_arg(arguments, char***) = environment_pointers();
            break;
        case S_JOB_STEPID:
            *va_arg(arguments, std::uint32_t*) = slurm().step;
            break;
        case S_TASK_ID:
            *va_arg(arguments, int*) = slurm().task;
            break;
        default:
            status = kNotAvailable;
    }
    va_end(arguments);
    return status;
}

spank_err_t spank_setenv(spank_t, const char* name, const char* value, int) {
    called("spank_setenv");
    constexpr std::size_t kSlurmDropsFrom = 131072;
    if (std::string{name}.size() + std::string{value}.size() < kSlurmDropsFrom) {
        slurm().environment[name] = value;
    }
    return kSuccess;
}

spank_err_t spank_unsetenv(spank_t, const char* name) {
    called("spank_unsetenv");
    slurm().environment.erase(name);
    return kSuccess;
}

void slurm_error(const char* format, ...) {
    va_list arguments;
    va_start(arguments, format);
    slurm().errors.push_back(formatted(format, arguments));
    va_end(arguments);
}

void slurm_verbose(const char* format, ...) {
    va_list arguments;
    va_start(arguments, format);
    slurm().quiet.push_back(formatted(format, arguments));
    va_end(arguments);
}

}  // extern "C"
#pragma GCC visibility pop
