#include "fabric/state/history_text.h"

#include "fabric/base/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>

namespace ferrule {

namespace {

constexpr std::string_view kHead = "ferrule-history 1\n";
constexpr std::string_view kEnd = "end\t";
constexpr std::size_t kMostFacts = 65536;

// FNV-1a: finds a torn file, and is no protection against a forged one.
std::uint64_t check_sum(std::string_view text) {
    constexpr std::uint64_t kOffset = 0xcbf29ce484222325;
    constexpr std::uint64_t kPrime = 0x100000001b3;
    std::uint64_t sum = kOffset;
    for (const char letter : text) {
        sum ^= static_cast<unsigned char>(letter);
        sum *= kPrime;
    }
    return sum;
}

std::string one_line(std::string_view text) {
    std::string clean{text};
    std::ranges::replace_if(
        clean, [](char letter) { return static_cast<unsigned char>(letter) < ' '; }, ' ');
    return clean;
}

using Out = std::back_insert_iterator<std::string>;

void write_track(Out out, const std::string& key, const CounterTrack& track) {
    fmt::format_to(out, "counter\t{}\t{}\t", track.last, track.seen_ms);
    std::string_view separator;
    for (const Increment& it : track.increments) {
        fmt::format_to(out, "{}{}:{}:{}", separator, it.from_ms, it.at_ms, it.events);
        separator = ",";
    }
    fmt::format_to(out, "\t{}\n", one_line(key));
}

void write_run(Out out, std::string_view name, const RunRecord& run) {
    fmt::format_to(out, "run\t{}\t{}\n", name, run.time);
    for (const auto& [fact, value] : run.facts) {
        fmt::format_to(out, "fact\t{}\t{}\n", one_line(fact), one_line(value));
    }
    for (const auto& [check, object] : run.failures) {
        fmt::format_to(out, "failure\t{}\t{}\n", one_line(check), one_line(object));
    }
}

// Takes one line at a time; facts and failures belong to the run above them.
class Reader {
  public:
    // False for a line that is none of ours.
    bool take(std::string_view line) {
        const auto fields = split(line, '\t');
        // None is ever written: whoever put one there is not this program.
        const bool control = std::ranges::any_of(line, [](char letter) {
            return letter != '\t' && static_cast<unsigned char>(letter) < ' ';
        });
        if (fields.empty() || control) {
            return false;
        }
        const auto* const form = std::ranges::find(kForms, fields[0], &Form::word);
        return form != kForms.end() && fields.size() == form->fields && (this->*form->take)(fields);
    }

    [[nodiscard]] History history() && { return std::move(history_); }

  private:
    using Fields = std::vector<std::string_view>;

    struct Form {
        std::string_view word;
        std::size_t fields;
        bool (Reader::*take)(const Fields&);
    };

    template <typename T>
    static bool number(std::string_view text, T& into) {
        const auto value = parse_number<T>(text);
        into = value.value_or(T{});
        return value.has_value();
    }

    // Two names may differ in what became a blank only: the later line holds.
    template <typename Map, typename Value>
    static bool put(Map& map, std::string_view key, Value value) {
        map.insert_or_assign(std::string{key}, std::move(value));
        return true;
    }

    bool take_boot(const Fields& fields) {
        history_.boot_id = fields[1];
        return number(fields[2], history_.uptime_ms);
    }

    bool take_counter(const Fields& fields) {
        CounterTrack track{};
        for (const std::string_view piece : split(fields[3], ',')) {
            constexpr std::size_t kParts = 3;
            const auto parts = split(piece, ':');
            Increment it{};
            if (parts.size() != kParts || !number(parts[0], it.from_ms) ||
                !number(parts[1], it.at_ms) || !number(parts[2], it.events)) {
                return false;
            }
            track.increments.push_back(it);
        }
        const bool fits =
            track.increments.size() <= kMostIncrements && history_.counters.size() < kMostTracks;
        return fits && number(fields[1], track.last) && number(fields[2], track.seen_ms) &&
               put(history_.counters, fields[4], std::move(track));
    }

    bool take_since(const Fields& fields) {
        std::uint64_t at_ms = 0;
        return number(fields[1], at_ms) && put(history_.since, fields[2], at_ms);
    }

    bool take_refused(const Fields& fields) {
        int error = 0;
        return number(fields[1], error) && put(history_.refused, fields[2], error);
    }

    bool take_run(const Fields& fields) {
        run_ = fields[1] == "good" ? &history_.good : &history_.last;
        return (fields[1] == "good" || fields[1] == "last") && number(fields[2], run_->time);
    }

    bool take_fact(const Fields& fields) {
        return run_ != nullptr && run_->facts.size() < kMostFacts &&
               put(run_->facts, fields[1], std::string{fields[2]});
    }

    bool take_failure(const Fields& fields) {
        if (run_ == nullptr || run_->failures.size() >= kMostFacts) {
            return false;
        }
        run_->failures.emplace_back(fields[1], fields[2]);
        return true;
    }

    static constexpr std::array kForms{
        Form{"boot", 3, &Reader::take_boot},       Form{"counter", 5, &Reader::take_counter},
        Form{"since", 3, &Reader::take_since},     Form{"refused", 3, &Reader::take_refused},
        Form{"run", 3, &Reader::take_run},         Form{"fact", 3, &Reader::take_fact},
        Form{"failure", 3, &Reader::take_failure},
    };

    History history_{};
    RunRecord* run_{nullptr};
};

// The lines between head and check sum.
Result<std::string_view> body_of(std::string_view text) {
    const std::size_t end = text.rfind(kEnd);
    const bool framed = text.starts_with(kHead) && end != std::string_view::npos &&
                        end >= kHead.size() && text[end - 1] == '\n' && text.ends_with('\n');
    if (!framed) {
        return fail(std::errc::bad_message, "no history, or one that was cut short");
    }
    const std::string_view sum = trimmed(text.substr(end + kEnd.size()));
    if (sum != fmt::format("{:016x}", check_sum(text.substr(0, end)))) {
        return fail(std::errc::bad_message, "its check sum is wrong");
    }
    return text.substr(kHead.size(), end - kHead.size());
}

}  // namespace

std::string to_text(const History& history) {
    std::string text{kHead};
    const Out out{text};
    fmt::format_to(out, "boot\t{}\t{}\n", one_line(history.boot_id), history.uptime_ms);
    for (const auto& [key, track] : history.counters) {
        write_track(out, key, track);
    }
    for (const auto& [key, at_ms] : history.since) {
        fmt::format_to(out, "since\t{}\t{}\n", at_ms, one_line(key));
    }
    for (const auto& [path, error] : history.refused) {
        fmt::format_to(out, "refused\t{}\t{}\n", error, one_line(path));
    }
    write_run(out, "last", history.last);
    write_run(out, "good", history.good);
    const std::uint64_t sum = check_sum(text);
    fmt::format_to(out, "{}{:016x}\n", kEnd, sum);
    return text;
}

Result<History> parse_history(std::string_view text) {
    const std::string_view body = TRY(body_of(text));
    Reader reader;
    std::size_t number = 1;
    for (const std::string_view line : split(body, '\n')) {
        ++number;
        if (!line.empty() && !reader.take(line)) {
            return fail(std::errc::bad_message, fmt::format("line {} is not understood", number));
        }
    }
    return std::move(reader).history();
}

}  // namespace ferrule
