#include "fabric/read/settings.h"

#include "fabric/base/fd.h"
#include "fabric/base/text.h"
#include "fabric/read/dir.h"
#include "fabric/read/ini.h"
#include "fabric/read/profile_keys.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace ferrule {

namespace {

constexpr std::size_t kSettingsLimit = 1U << 20U;
constexpr std::string_view kProfileSection = "profile";
constexpr std::string_view kEnvironmentSection = "environment";

// "profile gpu" as {"profile", "gpu"}.
std::pair<std::string_view, std::string_view> section_parts(std::string_view section) {
    const std::size_t blank = section.find(' ');
    if (blank == std::string_view::npos) {
        return {section, {}};
    }
    return {section.substr(0, blank), trimmed(section.substr(blank))};
}

NodeProfile& profile_named(Settings& settings, std::string_view name) {
    const auto found = std::ranges::find(settings.profiles, name, &NodeProfile::name);
    if (found != settings.profiles.end()) {
        return *found;
    }
    settings.profiles.push_back({});
    settings.profiles.back().name = name;
    return settings.profiles.back();
}

// A sentence about what is wrong with an entry; empty when it was taken.
std::string take_entry(Settings& settings, const IniEntry& entry, bool repeated) {
    const auto [kind, name] = section_parts(entry.section);
    const bool profile = kind == kProfileSection;
    if ((!profile && kind != kEnvironmentSection) || name.empty()) {
        return fmt::format("unknown section [{}]; use [profile NAME] or [environment NAME]",
                           printable(entry.section));
    }
    if (repeated && (!profile || !entry.continuation || !is_list_key(entry.key))) {
        return fmt::format("\"{}\" is set twice in [{}]; keep one of them", printable(entry.key),
                           printable(entry.section));
    }
    NodeProfile& target = profile_named(settings, name);
    if (profile) {
        return set_profile_key(target, entry.key, entry.value);
    }
    return set_environment_variable(target, entry.key, entry.value);
}

Result<void> check_owner(const struct stat& status, Trust trust, const std::string& what) {
    const bool owner_fits =
        status.st_uid == 0 || (trust == Trust::RootOrCaller && status.st_uid == ::geteuid());
    if (!owner_fits) {
        return fail(std::errc::operation_not_permitted,
                    fmt::format("{}: owned by uid {}; chown root it", what, status.st_uid));
    }
    const bool sticky_directory = S_ISDIR(status.st_mode) && (status.st_mode & S_ISVTX) != 0;
    if ((status.st_mode & (S_IWGRP | S_IWOTH)) != 0 && !sticky_directory) {
        return fail(std::errc::operation_not_permitted,
                    fmt::format("{}: writable by others than its owner (mode {:04o}); "
                                "chmod go-w it",
                                what, status.st_mode & 07777U));
    }
    return {};
}

}  // namespace

Result<Settings> parse_settings(std::string_view file, std::string_view text) {
    const auto entries = TRY(parse_ini(file, text));
    Settings settings{};
    for (auto entry = entries.begin(); entry != entries.end(); ++entry) {
        const bool repeated = std::any_of(entries.begin(), entry, [&](const IniEntry& earlier) {
            return earlier.section == entry->section && earlier.key == entry->key;
        });
        const std::string wrong = take_entry(settings, *entry, repeated);
        if (!wrong.empty()) {
            const std::string& token = entry->value.empty() ? entry->key : entry->value;
            return tl::unexpected{ini_error(file, text, entry->line, token, wrong)};
        }
    }
    return settings;
}

Result<Settings> load_settings(const std::string& path, Trust trust) {
    const std::size_t slash = path.rfind('/');
    const std::string directory = slash == std::string::npos ? "." : path.substr(0, slash + 1);
    const auto dir = Dir::open(directory);
    if (!dir) {
        return fail_errno(dir.error().code.value(), path);
    }
    struct stat status{};
    if (::fstat(dir->fd().get(), &status) != 0) {
        return fail_errno(errno, directory);
    }
    if (const auto fits = check_owner(status, trust, directory); !fits) {
        return tl::unexpected{fits.error()};
    }
    const std::string file = path.substr(slash == std::string::npos ? 0 : slash + 1);
    // What is checked is what is read: one descriptor for both.
    const Fd fd{::openat(dir->fd().get(), file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)};
    if (!fd.valid() || ::fstat(fd.get(), &status) != 0) {
        return fail_errno(errno, path);
    }
    if (!S_ISREG(status.st_mode)) {
        return fail(std::errc::invalid_argument, path + ": not a regular file");
    }
    if (const auto fits = check_owner(status, trust, path); !fits) {
        return tl::unexpected{fits.error()};
    }
    const std::string text = TRY(read_all(fd, path, kSettingsLimit));
    return parse_settings(path, text);
}

Result<Settings> load_settings_or_default(const std::string& path, Trust trust) {
    auto settings = load_settings(path.empty() ? kDefaultSettings : path, trust);
    if (!settings && path.empty() &&
        settings.error().code == std::errc::no_such_file_or_directory) {
        return Settings{};
    }
    return settings;
}

NodeProfile profile_for(const Settings& settings, std::string_view node) {
    for (const NodeProfile& profile : settings.profiles) {
        if (std::ranges::find(profile.nodes, node) != profile.nodes.end()) {
            return profile;
        }
    }
    const auto general = std::ranges::find_if(
        settings.profiles, [](const NodeProfile& profile) { return profile.nodes.empty(); });
    return general == settings.profiles.end() ? NodeProfile{} : *general;
}

}  // namespace ferrule
