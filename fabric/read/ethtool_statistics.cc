#include "fabric/read/ethtool_statistics.h"

#include "fabric/base/text.h"

#include <algorithm>
#include <optional>

namespace ferrule {

namespace {

constexpr std::string_view kHeading = "NIC statistics:";

std::string name_of(std::span<const std::byte> raw) {
    const std::string_view text{reinterpret_cast<const char*>(raw.data()), raw.size()};
    return printable(trimmed(text.substr(0, text.find('\0'))));
}

bool prints(char letter) {
    return letter >= ' ' && letter <= '~';
}

std::optional<Counter> counter_of(std::string_view line) {
    const std::size_t colon = line.rfind(':');
    if (colon == std::string_view::npos) {
        return std::nullopt;
    }
    const std::string_view name = trimmed(line.substr(0, colon));
    const auto value = parse_number<std::uint64_t>(trimmed(line.substr(colon + 1)));
    return value && !name.empty() && std::ranges::all_of(name, prints)
               ? std::optional{Counter{std::string{name}, *value}}
               : std::nullopt;
}

}  // namespace

Result<Counters> counters_of(std::span<const std::byte> names,
                             std::span<const std::uint64_t> values) {
    if (names.size() != values.size() * kStatisticNameSize) {
        return fail(std::errc::bad_message, "ethtool: not as many statistics as names");
    }
    Counters counters;
    counters.reserve(values.size());
    for (const std::uint64_t value : values) {
        std::string name = name_of(names.first(kStatisticNameSize));
        names = names.subspan(kStatisticNameSize);
        if (!name.empty()) {
            counters.push_back({std::move(name), value});
        }
    }
    return counters;
}

std::string format_statistics(const Counters& counters) {
    std::string text;
    for (const Counter& counter : counters) {
        text += counter.name + ": " + std::to_string(counter.value) + "\n";
    }
    return text;
}

Result<Counters> parse_statistics(std::string_view text) {
    Counters counters;
    std::size_t number = 0;
    for (const std::string_view raw : split(text, '\n')) {
        const std::string_view line = trimmed(raw);
        ++number;
        if (line.empty() || line == kHeading) {
            continue;
        }
        auto counter = counter_of(line);
        if (!counter) {
            return fail(std::errc::bad_message,
                        "line " + std::to_string(number) + R"(: not "name: value")");
        }
        counters.push_back(std::move(*counter));
    }
    return counters;
}

}  // namespace ferrule
