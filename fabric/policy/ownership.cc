#include "fabric/policy/ownership.h"

#include "fabric/base/text.h"

#include <algorithm>
#include <set>

namespace ferrule {

namespace {

std::string escaped(std::string_view value) {
    std::string text;
    for (const char c : value) {
        if (c == '%') {
            text += "%25";
        } else if (c == ';') {
            text += "%3B";
        } else {
            text += c;
        }
    }
    return text;
}

std::string unescaped(std::string_view text) {
    std::string value;
    for (std::size_t at = 0; at < text.size(); ++at) {
        const std::string_view code = text.substr(at, 3);
        if (code == "%25" || code == "%3B") {
            value += code == "%25" ? '%' : ';';
            at += 2;
        } else {
            value += text[at];
        }
    }
    return value;
}

// Present, and not what Ferrule wrote before.
bool is_users(const Environment& current, const Environment& marked, const std::string& name) {
    const auto now = current.find(name);
    if (now == current.end()) {
        return false;
    }
    const auto mark = marked.find(name);
    return mark == marked.end() || mark->second != now->second;
}

std::set<std::string> groups_of_user(const std::vector<EnvChange>& plan, const Environment& current,
                                     const Environment& marked) {
    std::set<std::string> groups;
    for (const EnvChange& change : plan) {
        if (!change.group.empty() && is_users(current, marked, change.name)) {
            groups.insert(change.group);
        }
    }
    return groups;
}

}  // namespace

Environment parse_marker(std::string_view text) {
    Environment owned;
    for (const std::string_view piece : split(text, ';')) {
        const std::size_t equals = piece.find('=');
        if (equals != std::string_view::npos && is_variable_name(piece.substr(0, equals))) {
            owned[std::string{piece.substr(0, equals)}] = unescaped(piece.substr(equals + 1));
        }
    }
    return owned;
}

std::string to_marker(const Environment& owned) {
    std::string text;
    for (const auto& [name, value] : owned) {
        text += text.empty() ? "" : ";";
        text += name;
        text += '=';
        text += escaped(value);
    }
    return text;
}

Ownership settle_ownership(const std::vector<EnvChange>& plan, const Environment& current) {
    const auto marker = current.find(kMarkerName);
    const Environment marked =
        marker == current.end() ? Environment{} : parse_marker(marker->second);
    const std::set<std::string> users_groups = groups_of_user(plan, current, marked);

    Ownership result{};
    std::set<std::string> planned;
    for (const EnvChange& change : plan) {
        if (is_users(current, marked, change.name)) {
            planned.insert(change.name);
            result.kept.push_back(
                {change.name, current.at(change.name), change.value.value_or("")});
            continue;
        }
        if (!change.value || users_groups.contains(change.group) ||
            is_users(current, marked, change.made_for)) {
            // Left to the sweep below: ours from another node goes, anything else is not there.
            continue;
        }
        planned.insert(change.name);
        result.owned[change.name] = *change.value;
        const auto now = current.find(change.name);
        if (now == current.end() || now->second != *change.value) {
            result.writes.push_back({change.name, change.value});
        }
    }
    for (const auto& [name, value] : marked) {
        const bool ours = current.contains(name) && !is_users(current, marked, name);
        if (ours && !planned.contains(name)) {
            result.writes.push_back({name, std::nullopt});
        }
    }
    return result;
}

Ownership settle_image(const std::vector<EnvChange>& plan, const Ownership& before,
                       const Environment& current, ImageValues image_values) {
    if (image_values == ImageValues::Kept) {
        // The image may hold an old marker as well as old values.
        Environment marked = current;
        marked[kMarkerName] = to_marker(before.owned);
        return settle_ownership(plan, marked);
    }
    Ownership result = before;
    result.writes.clear();
    for (const EnvChange& change : plan) {
        const auto owned = before.owned.find(change.name);
        const auto now = current.find(change.name);
        if (owned != before.owned.end()) {
            if (now == current.end() || now->second != owned->second) {
                result.writes.push_back({change.name, owned->second});
            }
            continue;
        }
        // Left open for the sake of a value that is Ferrule's.
        const bool open_on_purpose = !change.value && before.owned.contains(change.made_for) &&
                                     std::ranges::count(before.kept, change.name, &Kept::name) == 0;
        if (open_on_purpose && now != current.end()) {
            result.writes.push_back({change.name, std::nullopt});
        }
    }
    return result;
}

Environment environment_after(const Ownership& ownership, Environment current) {
    for (const EnvWrite& write : ownership.writes) {
        if (write.value) {
            current[write.name] = *write.value;
        } else {
            current.erase(write.name);
        }
    }
    current.erase(kMarkerName);
    if (!ownership.owned.empty()) {
        current[kMarkerName] = to_marker(ownership.owned);
    }
    return current;
}

}  // namespace ferrule
