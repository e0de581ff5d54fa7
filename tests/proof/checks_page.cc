// Writes the pages of the checks: docs/checks.md with the argument "markdown", and
// docs/man/ferrule-checks.7 with "man". Both come from the tables of fabric/check alone.
#include "fabric/base/text.h"
#include "fabric/check/check.h"
#include "fabric/check/counter_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <iostream>
#include <string>
#include <vector>

namespace {

using namespace ferrule;

// Words of a counter's row that both pages have.
std::string limit_text(const CounterMeaning& meaning) {
    if (meaning.check == "link-flaps") {
        return "by flaps";
    }
    return meaning.limit.seconds == 0 ? "none" : to_text(meaning.limit);
}

std::string severity_text(const CounterMeaning& meaning) {
    return meaning.limit.seconds == 0 ? "none" : std::string{to_text(meaning.severity)};
}

// What the kernel and the drivers call it, each once.
std::vector<std::string> names_of(const CounterMeaning& meaning) {
    std::vector<std::string> names;
    for (const CounterRow& row : counter_rows()) {
        const std::string name{row.name};
        if (row.meaning == meaning.name && std::ranges::count(names, name) == 0) {
            names.push_back(name);
        }
    }
    return names;
}

// Keys in backquotes.
std::string quoted(std::string_view list) {
    std::vector<std::string> pieces;
    for (const std::string_view piece : split(list, ',')) {
        pieces.push_back(fmt::format("`{}`", trimmed(piece)));
    }
    return joined(pieces, ", ");
}

constexpr auto kMarkdownHead = R"(# Checks

What `ferrule-healthcheck` asks of a node: one row for each check, in the order in which they run. A check
looks at the rails of the compute fabric and at ports that should be rails, and says *pass*, *fail*, *unknown*
or *not applicable* of each. Unknown is what could not be read; it is never a failure. A severity is that of a
failure; where the row says so, some of them are warnings. Keys are those of ferrule.conf(5) that a check holds
the node against; "most rails" are more than half of at least three.

Written by `tests/proof/checks_page.cc` from the tables in `fabric/check/check_table.cc` and
`counter_table.cc`; a test holds this file against them. ferrule-checks(7) says the same as a manual page.

| check | question | why, and what it does without a profile | fabrics | severity | keys |
|---|---|---|---|---|---|
)";

constexpr auto kMarkdownCounters = R"(
## Counters

Counters of drivers have many names and few meanings. The name in the first column is what the key `limits`
takes, as in `limits = symbol_error:120/1h`: more than 120 events within an hour are too many. What is judged is
how much a counter grew between runs, never its value.

| counter | check | most events | severity | what an event is | what to do | names of drivers |
|---|---|---|---|---|---|---|
)";

void write_markdown(std::ostream& out) {
    out << kMarkdownHead;
    for (const Check& check : all_checks()) {
        out << fmt::format("| {} | {} | {} | {} | {} | {} |\n", check.name, check.asks, check.why,
                           check.fabrics, to_text(check.severity), quoted(check.keys));
    }
    out << kMarkdownCounters;
    for (const CounterMeaning& meaning : counter_meanings()) {
        out << fmt::format("| `{}` | {} | {} | {} | {} | {} | {} |\n", meaning.name, meaning.check,
                           limit_text(meaning), severity_text(meaning), meaning.words,
                           meaning.remedy, quoted(joined(names_of(meaning), ",")));
    }
}

// Text for roff: hyphens that are meant as typed, no backslash of its own.
std::string roff(std::string_view text) {
    std::string escaped;
    escaped.reserve(text.size());
    for (const char letter : text) {
        if (letter == '-') {
            escaped += "\\-";
        } else if (letter == '\\') {
            escaped += "\\e";
        } else {
            escaped += letter;
        }
    }
    return escaped;
}

// Lines of a page's usual length, none of which begins with a control character.
std::string wrapped(const std::string& text) {
    constexpr std::size_t kLine = 110;
    std::string lines;
    std::size_t length = 0;
    for (const std::string_view word : words(text)) {
        const bool control = word.front() == '.' || word.front() == '\'';
        const bool fits = length != 0 && (control || length + 1 + word.size() <= kLine);
        if (length != 0) {
            lines += fits ? ' ' : '\n';
        }
        length = fits ? length + 1 + word.size() : word.size();
        lines += word;
    }
    return lines + "\n";
}

constexpr auto kManHead =
    R"(.\" Written by tests/proof/checks_page.cc from the tables in fabric/check.
.TH FERRULE-CHECKS 7 "" "Ferrule" "Miscellaneous Information"
.SH NAME
ferrule-checks \- what ferrule-healthcheck asks of a node, and which counters it follows
.SH DESCRIPTION
.BR ferrule-healthcheck (8)
asks these questions in this order. A check looks at the rails of the compute fabric and at ports that should
be rails, and says pass, fail, unknown or not applicable of each object: a port (mlx5_3/1), a device (mlx5_3),
an interface (ens1f0np0) or the node. Unknown is what could not be read; it is never a failure. A severity is
that of a failure; where the text says so, some of them are warnings.
.PP
Keys are those of
.BR ferrule.conf (5)
that a check holds the node against. Where the profile says nothing, many checks compare a rail with most
rails of the node: more than half of at least three. Rails that differ without such a majority are unknown,
since nobody can tell which is right.
.SH CHECKS
)";

constexpr auto kManCounters = R"(.SH COUNTERS
Counters of drivers have many names and few meanings. These are the names that the key
.B limits
takes, as in
.BR "limits = symbol_error:120/1h" ,
each with its check, the most events that are put up with in a time, and what one too many counts as. What is
judged is how much a counter grew between runs, never its value. A # in a driver's name stands for the number
of a priority.
)";

constexpr auto kManEnd = R"(.SH SEE ALSO
.BR ferrule-healthcheck (8),
.BR ferrule.conf (5)
)";

void write_man(std::ostream& out) {
    out << kManHead;
    for (const Check& check : all_checks()) {
        out << fmt::format(".TP\n.B {}\n", roff(check.name));
        out << wrapped(roff(fmt::format("{} {}", check.asks, check.why)));
        out << fmt::format(".br\nFabrics: {}. Severity: {}. Keys: {}.\n", roff(check.fabrics),
                           to_text(check.severity), check.keys.empty() ? "none" : check.keys);
    }
    out << kManCounters;
    for (const CounterMeaning& meaning : counter_meanings()) {
        const bool judged = meaning.limit.seconds != 0;
        out << fmt::format(".TP\n.B {}\n", roff(meaning.name));
        if (judged) {
            out << wrapped(roff(fmt::format("{}: {}. Limit: {}, {}. Too many: {}.", meaning.check,
                                            meaning.words, limit_text(meaning),
                                            severity_text(meaning), meaning.remedy)));
        } else {
            const std::string whose =
                meaning.check.empty() ? "" : fmt::format("{}: ", meaning.check);
            out << wrapped(roff(fmt::format("{}{}. No limit: it moves in a working fabric.", whose,
                                            meaning.words)));
        }
        out << ".br\n"
            << wrapped(roff(fmt::format("Drivers: {}.", joined(names_of(meaning), ", "))));
    }
    out << kManEnd;
}

}  // namespace

int main(int argc, char** argv) {
    const std::vector<std::string> arguments{argv + 1, argv + argc};
    if (arguments == std::vector<std::string>{"markdown"}) {
        write_markdown(std::cout);
    } else if (arguments == std::vector<std::string>{"man"}) {
        write_man(std::cout);
    } else {
        std::cerr << "usage: checks_page markdown|man\n";
        return 2;
    }
    return std::cout.flush() ? 0 : 1;
}
