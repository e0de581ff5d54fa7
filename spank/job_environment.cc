#include "spank/job_environment.h"

namespace ferrule {

Result<Environment> JobEnvironment::read() const {
    char** entries = nullptr;
    const spank_err_t status = spank_get_item(spank_, S_JOB_ENV, &entries);
    if (status != ESPANK_SUCCESS || entries == nullptr) {
        return fail(std::errc::io_error, "the environment of the step cannot be read");
    }
    return environment_of(entries);
}

void JobEnvironment::write(const EnvWrite& write) const {
    if (write.value) {
        spank_setenv(spank_, write.name.c_str(), write.value->c_str(), 1);
    } else {
        spank_unsetenv(spank_, write.name.c_str());
    }
}

void JobEnvironment::write_marker(const Environment& owned) const {
    write({kMarkerName, owned.empty() ? std::nullopt : std::optional{to_marker(owned)}});
}

std::vector<std::string> JobEnvironment::apply(const Ownership& ownership) const {
    for (const EnvWrite& it : ownership.writes) {
        write(it);
    }
    write_marker(ownership.owned);

    const Environment now = read().value_or(Environment{});
    Environment owned = ownership.owned;
    std::vector<std::string> lost;
    for (const EnvWrite& it : ownership.writes) {
        const auto found = now.find(it.name);
        const auto arrived = found == now.end() ? std::nullopt : std::optional{found->second};
        if (arrived != it.value) {
            lost.push_back(it.name);
            owned.erase(it.name);
        }
    }
    const auto marker = now.find(kMarkerName);
    if (!owned.empty() &&
        (marker == now.end() || parse_marker(marker->second) != ownership.owned)) {
        lost.emplace_back(kMarkerName);
        for (const auto& [name, value] : owned) {
            write({name, std::nullopt});
        }
        owned.clear();
    }
    if (!lost.empty()) {
        write_marker(owned);
    }
    return lost;
}

}  // namespace ferrule
