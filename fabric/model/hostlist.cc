#include "fabric/model/hostlist.h"

#include "fabric/base/text.h"

#include <iterator>
#include <optional>

namespace ferrule {

namespace {

constexpr std::string_view kSeparators = ", \t\r\n";
// Slurm refuses larger numbers too; keeps the arithmetic far from overflow.
constexpr std::size_t kMostDigits = 18;

std::string padded(unsigned long number, std::size_t width) {
    const std::string digits = std::to_string(number);
    return std::string(width > digits.size() ? width - digits.size() : 0, '0') + digits;
}

tl::unexpected<Error> too_many(std::string_view ranges) {
    return fail(std::errc::value_too_large,
                "hostlist: \"[" + printable(ranges) + "]\" leads to more than 65536 names");
}

// "1-3,7" as "1", "2", "3", "7".
Result<std::vector<std::string>> expand_ranges(std::string_view ranges) {
    const auto bad = [&] {
        return fail(std::errc::invalid_argument,
                    "hostlist: \"[" + printable(ranges) + "]\" is no list of numbers and ranges");
    };
    std::vector<std::string> numbers;
    if (ranges.empty()) {
        return bad();
    }
    for (const std::string_view range : split(ranges, ',')) {
        const std::size_t dash = range.find('-');
        const std::string_view from = range.substr(0, dash);
        const std::string_view to = dash == std::string_view::npos ? from : range.substr(dash + 1);
        const auto first = parse_number<unsigned long>(from);
        const auto last = parse_number<unsigned long>(to);
        if (!first || !last || from.size() > kMostDigits || to.size() > kMostDigits ||
            *last < *first) {
            return bad();
        }
        if (*last - *first >= kMostHosts || numbers.size() + (*last - *first) >= kMostHosts) {
            return too_many(ranges);
        }
        for (unsigned long number = *first; number <= *last; ++number) {
            numbers.push_back(padded(number, from.size()));
        }
    }
    return numbers;
}

// Every name with every number of the ranges behind it, the numbers running fastest.
Result<std::vector<std::string>> with_ranges(const std::vector<std::string>& names,
                                             std::string_view ranges) {
    const auto numbers = TRY(expand_ranges(ranges));
    if (names.size() * numbers.size() > kMostHosts) {
        return too_many(ranges);
    }
    std::vector<std::string> all;
    all.reserve(names.size() * numbers.size());
    for (const std::string& name : names) {
        for (const std::string& number : numbers) {
            all.push_back(name + number);
        }
    }
    return all;
}

void append_to_all(std::vector<std::string>& names, std::string_view text) {
    for (std::string& name : names) {
        name += text;
    }
}

// One term cut behind its first bracket: "rack[0-1]node[0-1]" gives "rack", "0-1", "node[0-1]".
struct Head {
    std::string_view plain{};
    std::optional<std::string_view> ranges{};
    std::string_view rest{};
};

Result<Head> split_head(std::string_view term) {
    const std::size_t open = term.find_first_of("[]");
    if (open == std::string_view::npos) {
        return Head{term, {}, {}};
    }
    const std::size_t close = term.find(']', open);
    if (term[open] == ']' || close == std::string_view::npos) {
        return fail(std::errc::invalid_argument,
                    "hostlist: unbalanced bracket in \"" + printable(term) + "\"");
    }
    return Head{term.substr(0, open), term.substr(open + 1, close - open - 1),
                term.substr(close + 1)};
}

// All names of one term without separators outside brackets: "rack[0-1]node[0-1]".
Result<std::vector<std::string>> expand_term(std::string_view term) {
    std::vector<std::string> names{""};
    for (std::string_view rest = term; !rest.empty();) {
        const Head head = TRY(split_head(rest));
        if (!head.ranges && rest.size() != term.size()) {
            return fail(std::errc::invalid_argument,
                        "hostlist: text behind the last bracket in \"" + printable(term) + "\"");
        }
        if (names.front().size() + head.plain.size() > kLongestHost) {
            return fail(std::errc::filename_too_long,
                        "hostlist: \"" + printable(term, 40) + "\" is longer than a host name");
        }
        append_to_all(names, head.plain);
        if (head.ranges) {
            names = TRY(with_ranges(names, *head.ranges));
        }
        rest = head.rest;
    }
    return names;
}

// Length of the first term: up to a separator outside brackets.
std::size_t term_length(std::string_view text) {
    bool inside = false;
    for (std::size_t at = 0; at < text.size(); ++at) {
        if (text[at] == '[' || text[at] == ']') {
            inside = text[at] == '[';
        } else if (!inside && kSeparators.find(text[at]) != std::string_view::npos) {
            return at;
        }
    }
    return text.size();
}

}  // namespace

Result<std::vector<std::string>> parse_hostlist(std::string_view text) {
    std::vector<std::string> names;
    while (!text.empty()) {
        const std::size_t length = term_length(text);
        if (length > 0) {
            auto expanded = TRY(expand_term(text.substr(0, length)));
            if (names.size() + expanded.size() > kMostHosts) {
                return fail(std::errc::value_too_large, "hostlist: more than 65536 names");
            }
            names.insert(names.end(), std::make_move_iterator(expanded.begin()),
                         std::make_move_iterator(expanded.end()));
        }
        text.remove_prefix(std::min(length + 1, text.size()));
    }
    return names;
}

}  // namespace ferrule
