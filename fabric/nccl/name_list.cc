#include "fabric/nccl/name_list.h"

#include "fabric/base/text.h"

#include <algorithm>
#include <string>

namespace ferrule {

namespace {

constexpr NcclVersion kFirstWithExactNames{2, 5, 6};
// Until here "mlx5_0:" meant port 0.
constexpr NcclVersion kFirstWithOpenPort{2, 30, 7};
constexpr std::size_t kLongestName = 63;

// atoi: what does not begin with a number is 0.
int leading_number(std::string_view text) {
    const std::size_t end = text.find_first_not_of("0123456789");
    return parse_number<int>(text.substr(0, end)).value_or(0);
}

NameEntry parse_entry(std::string_view text, NamesOf names, const NcclVersion& version) {
    const std::size_t colon = text.find(':');
    NameEntry entry{std::string{text.substr(0, std::min(colon, kLongestName))}, {}};
    if (colon == std::string_view::npos || names == NamesOf::Interfaces) {
        return entry;
    }
    const std::string_view port = text.substr(colon + 1);
    const bool open = port.empty() || port.front() == ':';
    if (!open || version < kFirstWithOpenPort) {
        entry.port = leading_number(port);
    }
    return entry;
}

}  // namespace

std::size_t name_limit(NamesOf names, const NcclVersion& version) {
    constexpr std::size_t kShort = 16;
    constexpr std::size_t kLong = 32;
    return names == NamesOf::Hcas && version >= kFirstNcclWith32Hcas ? kLong : kShort;
}

NameList parse_name_list(std::string_view text, NamesOf names, const NcclVersion& version) {
    NameList list{};
    if (text.starts_with('^')) {
        list.exclude = true;
        text.remove_prefix(1);
    }
    if (text.starts_with('=') && version >= kFirstWithExactNames) {
        list.exact = true;
        text.remove_prefix(1);
    }
    for (const std::string_view piece : split(text, ',')) {
        NameEntry entry = parse_entry(piece, names, version);
        if (entry.name.empty()) {
            continue;
        }
        if (list.entries.size() == name_limit(names, version)) {
            ++list.dropped;
            continue;
        }
        list.entries.push_back(std::move(entry));
    }
    return list;
}

bool matches(const NameList& list, const NameEntry& entry, std::string_view name,
             std::optional<int> port) {
    const bool name_fits = list.exact ? name == entry.name : name.starts_with(entry.name);
    return name_fits && (!port || !entry.port || port == entry.port);
}

bool admits(const NameList& list, std::string_view name, std::optional<int> port) {
    const bool named =
        list.entries.empty() || std::ranges::any_of(list.entries, [&](const NameEntry& entry) {
            return matches(list, entry, name, port);
        });
    return named != list.exclude;
}

}  // namespace ferrule
