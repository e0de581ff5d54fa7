// The history as text: what is written reads back, and what was damaged does not.
#include "fabric/state/history_text.h"

#include "tests/support/catch.h"

#include <string>

using namespace ferrule;
using Catch::Matchers::Contains;

namespace {

History full_history() {
    History it{};
    it.boot_id = "5c2d1c6e-7f5f-4bb1-a3f7-6f6b0f3f8d11";
    it.uptime_ms = 86'400'123;
    it.counters["mlx5_0/1 counters/symbol_error"] = {
        120, 86'400'123, {{85'800'123, 86'100'123, 3}, {86'100'123, 86'400'123, 117}}};
    it.counters["ens1f0np0 statistics/fec uncorrectable"] = {18446744073709551615U, 5, {}};
    it.since["mlx5_3/1 DOWN/Polling"] = 1234;
    it.refused["sys/class/infiniband/mlx5_0/ports/1/counters/VL15_dropped"] = 22;
    it.last = {1'700'000'000,
               {{"mlx5_0/1 rate", "400 Gb/sec (4X NDR)"}, {"node kernel", ""}},
               {{"link-rate", "mlx5_3/1"}, {"port-state", "mlx5_3/1"}}};
    it.good = {-1, {{"mlx5_0/1 rate", "200 Gb/sec"}}, {}};
    return it;
}

// A text with the check sum that such a body has.
std::string framed(const std::string& body) {
    const std::string text = "ferrule-history 1\n" + body;
    std::uint64_t sum = 0xcbf29ce484222325;
    for (const char letter : text) {
        sum = (sum ^ static_cast<unsigned char>(letter)) * 0x100000001b3;
    }
    char digits[17];
    std::snprintf(digits, sizeof digits, "%016llx", static_cast<unsigned long long>(sum));
    return text + "end\t" + digits + "\n";
}

std::string error_of(const std::string& text) {
    const auto history = parse_history(text);
    return history ? std::string{"none"} : history.error().text;
}

}  // namespace

TEST_CASE("a history reads back as it was") {
    const History history = full_history();
    const auto again = parse_history(to_text(history));
    REQUIRE(again);
    CHECK(*again == history);
    CHECK(parse_history(to_text(History{})).value() == History{});
}

TEST_CASE("a history is text that people can read") {
    History history{};
    history.boot_id = "b";
    history.uptime_ms = 7;
    history.counters["mlx5_0/1 counters/link_downed"] = {4, 7, {{1, 3, 1}, {3, 7, 2}}};
    CHECK_THAT(to_text(history),
               Contains("ferrule-history 1\nboot\tb\t7\n"
                        "counter\t4\t7\t1:3:1,3:7:2\tmlx5_0/1 counters/link_downed\n"
                        "run\tlast\t0\nrun\tgood\t0\nend\t"));
}

TEST_CASE("a history that was cut short at any byte does not read") {
    const std::string text = to_text(full_history());
    for (std::size_t length = 0; length < text.size(); ++length) {
        INFO(length);
        CHECK_FALSE(parse_history(text.substr(0, length)));
    }
}

TEST_CASE("a history with any one bit changed does not read, or reads the same") {
    const History history = full_history();
    const std::string text = to_text(history);
    for (std::size_t bit = 0; bit < text.size() * 8; ++bit) {
        std::string damaged = text;
        damaged[bit / 8] = static_cast<char>(damaged[bit / 8] ^ (1 << (bit % 8)));
        INFO(bit);
        const auto read = parse_history(damaged);
        CHECK((!read || *read == history));
    }
}

TEST_CASE("text behind the check sum, or before the head, is refused") {
    const std::string text = to_text(full_history());
    CHECK_FALSE(parse_history(text + "more\n"));
    CHECK_FALSE(parse_history("\n" + text));
    CHECK_FALSE(parse_history(text + text));
}

TEST_CASE("a wrong check sum is called one") {
    std::string text = to_text(full_history());
    text.replace(text.find("400 Gb"), 3, "800");
    CHECK_THAT(error_of(text), Contains("check sum is wrong"));
}

TEST_CASE("a line that is none of ours is named by its number") {
    struct Line {
        const char* body;
        const char* error;
    };

    const Line line =
        GENERATE(Line{"boot\tb\t1\n", "none"}, Line{"boot\tb\t1\n\n", "none"},
                 Line{"boot\tb\n", "line 2 is not understood"},
                 Line{"boot\tb\t1\t2\n", "line 2 is not understood"},
                 Line{"boot\tb\t-1\n", "line 2 is not understood"},
                 Line{"boot\tb\t1\nwhat\tever\n", "line 3 is not understood"},
                 Line{"counter\t1\t2\t\tk\n", "none"},
                 Line{"counter\t1\t2\t4:5\tk\n", "line 2 is not understood"},
                 Line{"counter\t1\t2\t3:4:x\tk\n", "line 2 is not understood"},
                 Line{"counter\t1\t18446744073709551616\t\tk\n", "line 2 is not understood"},
                 Line{"since\tx\tk\n", "line 2 is not understood"},
                 Line{"refused\t\tk\n", "line 2 is not understood"},
                 Line{"since\t1\ta\x01\n", "line 2 is not understood"},
                 Line{"boot\tb\t1\r\n", "line 2 is not understood"},
                 Line{"run\tother\t0\n", "line 2 is not understood"},
                 Line{"fact\ta\tb\n", "line 2 is not understood"},
                 Line{"failure\ta\tb\n", "line 2 is not understood"},
                 Line{"run\tlast\t0\nfact\ta\tb\n", "none"});
    INFO(line.body);
    CHECK(error_of(framed(line.body)) == line.error);
}

TEST_CASE("more than fits is refused") {
    std::string increments;
    for (std::size_t i = 0; i <= kMostIncrements; ++i) {
        increments += (i == 0 ? "" : ",") + std::to_string(i) + ":" + std::to_string(i) + ":1";
    }
    CHECK(error_of(framed("counter\t1\t2\t" + increments + "\tk\n")) == "line 2 is not understood");

    std::string tracks;
    for (std::size_t i = 0; i <= kMostTracks; ++i) {
        tracks += "counter\t1\t2\t\tk" + std::to_string(i) + "\n";
    }
    CHECK(error_of(framed(tracks)) ==
          "line " + std::to_string(kMostTracks + 2) + " is not understood");
}

TEST_CASE("names that only differ in control characters do not spoil the file") {
    History history{};
    history.since["a\tb DOWN"] = 1;
    history.since["a\nb DOWN"] = 2;
    history.refused["c\td"] = 5;
    history.refused["c d"] = 6;
    history.last.facts["e\tf"] = "1\n2\t3\r";
    history.last.facts["e f"] = "4";
    history.counters["g\x01"] = {1, 1, {}};
    history.counters["g\x02"] = {2, 2, {}};
    history.last.failures = {{"x\ty", "z\n"}};

    const auto again = parse_history(to_text(history));

    REQUIRE(again);
    CHECK(again->since.size() == 1);
    CHECK(again->refused.contains("c d"));
    CHECK(again->last.failures == std::vector<Failure>{{"x y", "z "}});
    CHECK(again->last.facts.contains("e f"));
    CHECK(parse_history(to_text(*again)).value() == *again);
}
