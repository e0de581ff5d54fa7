#include "fabric/read/settings.h"

#include "fabric/base/fd.h"
#include "fabric/base/text.h"
#include "fabric/read/dir.h"
#include "fabric/read/ini.h"
#include "fabric/read/profile_keys.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <memory>
#include <span>

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

NodeProfile* find_profile(Settings& settings, std::string_view name) {
    const auto found = std::ranges::find(settings.profiles, name, &NodeProfile::name);
    return found == settings.profiles.end() ? nullptr : &*found;
}

// What is wrong with a line, and where in it; an empty sentence when it is right.
struct Objection {
    std::string sentence{};
    std::string token{};
};

// Makes the profile that a header opens.
Objection open_section(Settings& settings, const Ini& ini, const IniSection& section) {
    const auto [kind, name] = section_parts(section.name);
    if ((kind != kProfileSection && kind != kEnvironmentSection) || name.empty()) {
        return {fmt::format("unknown section [{}]; use [profile NAME] or [environment NAME]",
                            printable(section.name)),
                section.name};
    }
    const auto first = std::ranges::find(ini.sections, section.name, &IniSection::name);
    if (first->line != section.line) {
        return {fmt::format("[{}] was opened in line {} already; put all of it there",
                            printable(section.name), first->line),
                section.name};
    }
    if (kind == kProfileSection) {
        settings.profiles.push_back({});
        settings.profiles.back().name = name;
    }
    return {};
}

Objection take_entry(Settings& settings, const Ini& ini, const IniEntry& entry) {
    const auto [kind, name] = section_parts(entry.section);
    NodeProfile* const profile = find_profile(settings, name);
    if (profile == nullptr) {
        return {kind == kEnvironmentSection
                    ? fmt::format("there is no [profile {}] for this environment", printable(name))
                    : "a key before any section; begin with [profile NAME]",
                entry.key};
    }
    // The entries before this one.
    const auto earlier =
        std::span{ini.entries}.first(static_cast<std::size_t>(&entry - ini.entries.data()));
    const bool repeated = std::ranges::any_of(earlier, [&](const IniEntry& it) {
        return it.section == entry.section && it.key == entry.key;
    });
    const bool open_list =
        !earlier.empty() && is_list_key(entry.key) && earlier.back().value.ends_with(',');
    if (entry.continuation && !open_list) {
        return {
            "an indented line goes on with the list above it, which then ends with a comma; "
            "take the indent away if this is a key of its own",
            entry.value};
    }
    if (repeated && !entry.continuation) {
        return {fmt::format("\"{}\" is set twice in [{}]; keep one of them", printable(entry.key),
                            printable(entry.section)),
                entry.key};
    }
    std::string sentence = kind == kProfileSection
                               ? set_profile_key(*profile, entry.key, entry.value)
                               : set_environment_variable(*profile, entry.key, entry.value);
    // The caret stands below what the sentence begins with.
    const bool of_value = sentence.starts_with("\"" + printable(entry.value) + "\"");
    return {std::move(sentence), of_value ? entry.value : entry.key};
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
    const Ini ini = TRY(parse_ini(file, text));
    Settings settings{};
    for (const IniSection& section : ini.sections) {
        const Objection wrong = open_section(settings, ini, section);
        if (!wrong.sentence.empty()) {
            return tl::unexpected{ini_error(file, text, section.line, wrong.token, wrong.sentence)};
        }
    }
    for (const IniEntry& entry : ini.entries) {
        const Objection wrong = take_entry(settings, ini, entry);
        if (!wrong.sentence.empty()) {
            return tl::unexpected{ini_error(file, text, entry.line, wrong.token, wrong.sentence)};
        }
    }
    return settings;
}

Result<Settings> load_settings(const std::string& path, Trust trust) {
    // Links are followed here and nowhere else, so that every folder on the way is looked at.
    const std::unique_ptr<char, decltype(&std::free)> resolved{::realpath(path.c_str(), nullptr),
                                                               &std::free};
    if (!resolved) {
        return fail_errno(errno, path);
    }
    const std::string real{resolved.get()};
    struct stat status{};
    for (std::size_t slash = 0; slash != std::string::npos; slash = real.find('/', slash + 1)) {
        const std::string folder = slash == 0 ? "/" : real.substr(0, slash);
        if (::stat(folder.c_str(), &status) != 0) {
            return fail_errno(errno, folder);
        }
        if (const auto fits = check_owner(status, trust, folder); !fits) {
            return tl::unexpected{fits.error()};
        }
    }
    // What is checked is what is read: one descriptor for both.
    const Fd fd{::open(real.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW)};
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
