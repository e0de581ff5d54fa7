#include "fabric/read/settings.h"

#include "fabric/base/text.h"
#include "fabric/read/ini.h"
#include "fabric/read/profile_keys.h"

#include <fmt/format.h>

#include <algorithm>
#include <fnmatch.h>
#include <span>

namespace ferrule {

namespace {

constexpr std::size_t kSettingsLimit = 1U << 20U;
constexpr std::string_view kProfileSection = "profile";
constexpr std::string_view kEnvironmentSection = "environment";
constexpr std::string_view kInherit = "inherit";

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

// What is wrong with the place of an entry, whatever its key.
Objection wrong_place(const Ini& ini, const IniEntry& entry) {
    // The entries before this one.
    const auto earlier =
        std::span{ini.entries}.first(static_cast<std::size_t>(&entry - ini.entries.data()));
    const auto set_before = [&](std::string_view key) {
        return std::ranges::any_of(earlier, [&](const IniEntry& it) {
            return it.section == entry.section && it.key == key;
        });
    };
    const bool open_list =
        !earlier.empty() && is_list_key(entry.key) && earlier.back().value.ends_with(',');
    if (entry.continuation) {
        return open_list ? Objection{}
                         : Objection{
                               "an indented line goes on with the list above it, which then "
                               "ends with a comma; take the indent away if this is a key of "
                               "its own",
                               entry.value};
    }
    if (set_before(entry.key)) {
        return {fmt::format("\"{}\" is set twice in [{}]; keep one of them", printable(entry.key),
                            printable(entry.section)),
                entry.key};
    }
    if ((entry.key == "dscp" && set_before("traffic_class")) ||
        (entry.key == "traffic_class" && set_before("dscp"))) {
        return {R"("dscp" and "traffic_class" both set the same field; keep one of them)",
                entry.key};
    }
    if (entry.key == kInherit && std::ranges::any_of(earlier, [&](const IniEntry& it) {
            return it.section == entry.section;
        })) {
        return {R"("inherit" comes first in its section)", entry.key};
    }
    return {};
}

// Makes `profile` a copy of one that stands above it, but for its name and its nodes.
Objection inherit(Settings& settings, NodeProfile& profile, const IniEntry& entry) {
    const NodeProfile* const parent = find_profile(settings, entry.value);
    if (parent == nullptr || parent >= &profile) {
        return {fmt::format("\"{}\" is no profile above this one", printable(entry.value)),
                entry.value};
    }
    const std::string name = profile.name;
    profile = *parent;
    profile.name = name;
    profile.nodes.clear();
    profile.products.clear();
    profile.parent = parent->name;
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
    if (Objection wrong = wrong_place(ini, entry); !wrong.sentence.empty()) {
        return wrong;
    }
    if (kind == kEnvironmentSection) {
        std::string sentence = set_environment_variable(*profile, entry.key, entry.value);
        const bool of_value = sentence.starts_with("\"" + printable(entry.value) + "\"");
        return {std::move(sentence), of_value ? entry.value : entry.key};
    }
    if (entry.key == kInherit) {
        return inherit(settings, *profile, entry);
    }
    if (!entry.continuation) {
        profile->lines.insert_or_assign(entry.key, entry.line);
    }
    std::string sentence =
        set_profile_key(*profile, entry.key, entry.value,
                        entry.continuation ? ListLine::Continued : ListLine::First);
    // The caret stands below what the sentence begins with.
    const bool of_value = sentence.starts_with("\"" + printable(entry.value) + "\"");
    return {std::move(sentence), of_value ? entry.value : entry.key};
}

// An entry belongs to a profile, or to none that there is.
bool belongs_to(const IniEntry& entry, std::string_view profile) {
    return section_parts(entry.section).second == profile;
}

// The file as it was read, for messages too.
struct SettingsText {
    std::string_view file;
    std::string_view text;
    const Ini& ini;
};

Result<void> open_sections(const SettingsText& source, Settings& settings) {
    for (const IniSection& section : source.ini.sections) {
        const Objection wrong = open_section(settings, source.ini, section);
        if (!wrong.sentence.empty()) {
            return tl::unexpected{
                ini_error(source.file, source.text, section.line, wrong.token, wrong.sentence)};
        }
    }
    for (NodeProfile& profile : settings.profiles) {
        profile.file = source.file;
    }
    return {};
}

// The entries that `wanted` says.
template <typename Wanted>
Result<void> take_entries(const SettingsText& source, Settings& settings, const Wanted& wanted) {
    for (const IniEntry& entry : source.ini.entries) {
        const Objection wrong =
            wanted(entry) ? take_entry(settings, source.ini, entry) : Objection{};
        if (!wrong.sentence.empty()) {
            return tl::unexpected{
                ini_error(source.file, source.text, entry.line, wrong.token, wrong.sentence)};
        }
    }
    return {};
}

}  // namespace

Result<Settings> parse_settings(std::string_view file, std::string_view text) {
    const Ini ini = TRY(parse_ini(file, text));
    const SettingsText source{file, text, ini};
    Settings settings{};
    auto done = open_sections(source, settings);
    // Entries of no profile first, then one profile after the other: one that inherits gets all
    // of its parent, whose environment may stand anywhere.
    if (done) {
        done = take_entries(source, settings, [&](const IniEntry& entry) {
            return find_profile(settings, section_parts(entry.section).second) == nullptr;
        });
    }
    for (std::size_t i = 0; done && i < settings.profiles.size(); ++i) {
        const std::string name = settings.profiles[i].name;
        done = take_entries(source, settings,
                            [&](const IniEntry& entry) { return belongs_to(entry, name); });
    }
    return done ? Result<Settings>{std::move(settings)} : tl::unexpected{done.error()};
}

Result<Settings> load_settings(const std::string& path, Trust trust) {
    const TrustedFile file = TRY(read_trusted_file(path, trust, kSettingsLimit));
    return parse_settings(path, file.content);
}

Result<Settings> load_settings_or_default(const std::string& path, Trust trust) {
    auto settings = load_settings(path.empty() ? kDefaultSettings : path, trust);
    if (!settings && path.empty() &&
        settings.error().code == std::errc::no_such_file_or_directory) {
        return Settings{};
    }
    return settings;
}

bool needs_product(const Settings& settings) {
    return std::ranges::any_of(settings.profiles,
                               [](const NodeProfile& it) { return !it.products.empty(); });
}

NodeProfile profile_for(const Settings& settings, std::string_view node,
                        const std::string& product) {
    const auto is_product = [&](const NodeProfile& profile) {
        return std::ranges::any_of(profile.products, [&](const std::string& pattern) {
            return ::fnmatch(pattern.c_str(), product.c_str(), 0) == 0;
        });
    };
    const NodeProfile* best = nullptr;
    int best_rank = 0;
    for (const NodeProfile& profile : settings.profiles) {
        const bool named = std::ranges::count(profile.nodes, node) > 0;
        const bool made = is_product(profile);
        const bool other =
            (!profile.nodes.empty() && !named) || (!profile.products.empty() && !made);
        constexpr int kNamed = 3;
        constexpr int kMade = 2;
        const int general = 1;
        const int of_machine = made ? kMade : general;
        const int rank = named ? kNamed : of_machine;
        if (!other && rank > best_rank) {
            best = &profile;
            best_rank = rank;
        }
    }
    return best == nullptr ? NodeProfile{} : *best;
}

}  // namespace ferrule
