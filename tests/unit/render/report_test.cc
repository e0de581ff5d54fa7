// A report as people, programs and Prometheus read it.
#include "fabric/render/report.h"

#include "tests/support/catch.h"

#include <nlohmann/json.hpp>

#include <set>
#include <sstream>

using namespace ferrule;
using Catch::Matchers::Contains;
using Catch::Matchers::StartsWith;

namespace {

Report report_with(const std::vector<Finding>& findings) {
    return {"n7", "hopper", "boot 1", 1'700'000'000, 3'600'000, 1234, findings};
}

Report usual_report() {
    return report_with(
        {{"link-rate", "mlx5_3/1", Outcome::Fail, Severity::Critical, "200 Gb/s", "400 Gb/s",
          "ferrule.conf:12 (rate)", "reseat the cable"},
         {"firmware", "mlx5_3", Outcome::Fail, Severity::Warning, "28.38.1", "28.39.1002",
          "most rails of this node", "bring all to one version"},
         {"fec", "ens1f0np0", Outcome::Unknown, Severity::Critical, "not told by this driver", "",
          "", ""},
         {"link-rate", "mlx5_0/1", Outcome::Pass, Severity::Critical, "400 Gb/s", "", "", ""},
         {"sysctl", "node", Outcome::NotApplicable, Severity::Critical, "the profile names none",
          "", "", ""}});
}

// Names that no kernel should allow, in every place.
Report hostile_report() {
    const std::string name = "a\"b\\c\ne\x1b[31m\xff{}";
    Report report =
        report_with({{"link-rate", name, Outcome::Fail, Severity::Critical, name, name, name, name},
                     {"netdev", name, Outcome::Unknown, Severity::Critical, name, "", "", ""}});
    report.node = name;
    report.profile = name;
    return report;
}

std::vector<std::string> lines_of(const std::string& text) {
    std::vector<std::string> lines;
    std::istringstream in{text};
    for (std::string line; std::getline(in, line);) {
        lines.push_back(line);
    }
    return lines;
}

}  // namespace

TEST_CASE("a report is a line for monitoring and a table, worst first") {
    CHECK(report_text(usual_report(), {}) ==
          "n7: CRITICAL - 2 failures, 1 unknown, 1 passed, 1 not applicable (profile hopper, 1234 "
          "ms)\n"
          "FAIL     link-rate  mlx5_3/1   200 Gb/s; wanted 400 Gb/s [ferrule.conf:12 (rate)]\n"
          "         -> reseat the cable\n"
          "WARN     firmware   mlx5_3     28.38.1; wanted 28.39.1002 [most rails of this node]\n"
          "         -> bring all to one version\n"
          "UNKNOWN  fec        ens1f0np0  not told by this driver\n");
}

TEST_CASE("everything is shown on demand") {
    const std::string text = report_text(usual_report(), {Colour::Off, Detail::Everything});
    CHECK_THAT(text, Contains("pass     link-rate  mlx5_0/1   400 Gb/s\n"
                              "n/a      sysctl     node       the profile names none\n"));
}

TEST_CASE("a healthy node without a profile is one line") {
    Report report = report_with({});
    report.profile.clear();
    CHECK(report_text(report, {}) ==
          "n7: OK - 0 failures, 0 unknown, 0 passed, 0 not applicable (no profile, 1234 ms)\n");
}

TEST_CASE("colour surrounds the verdict and the labels, and ends behind them") {
    const std::string text = report_text(usual_report(), {Colour::On, Detail::Findings});
    CHECK_THAT(text, StartsWith("n7: \x1b[1;31mCRITICAL\x1b[0m - "));
    CHECK_THAT(text, Contains("\x1b[1;31mFAIL   \x1b[0m  link-rate"));
    CHECK_THAT(text, Contains("\x1b[33mWARN   \x1b[0m  firmware"));
}

TEST_CASE("no name can write to the terminal or make a line of its own") {
    const std::string text = report_text(hostile_report(), {});
    CHECK(text.find('\x1b') == std::string::npos);
    CHECK(text.find('\xff') == std::string::npos);
    CHECK(lines_of(text).size() == 4);
    CHECK_THAT(text, Contains("e\\x1b[31m"));
}

TEST_CASE("JSON has every member, and the words of failures only where there are some") {
    const auto json = nlohmann::json::parse(report_json(usual_report()));
    CHECK(json["version"] == 1);
    CHECK(json["node"] == "n7");
    CHECK(json["profile"] == "hopper");
    CHECK(json["verdict"] == "CRITICAL");
    CHECK(json["time"] == 1'700'000'000);
    CHECK(json["boot_id"] == "boot 1");
    CHECK(json["uptime_ms"] == 3'600'000);
    CHECK(json["duration_ms"] == 1234);
    REQUIRE(json["findings"].size() == 5);
    CHECK(json["findings"][0] == nlohmann::json{{"check", "link-rate"},
                                                {"object", "mlx5_3/1"},
                                                {"outcome", "fail"},
                                                {"severity", "critical"},
                                                {"seen", "200 Gb/s"},
                                                {"wanted", "400 Gb/s"},
                                                {"rule", "ferrule.conf:12 (rate)"},
                                                {"remedy", "reseat the cable"}});
    CHECK(json["findings"][4] == nlohmann::json{{"check", "sysctl"},
                                                {"object", "node"},
                                                {"outcome", "not applicable"},
                                                {"seen", "the profile names none"}});
}

TEST_CASE("JSON of hostile names is JSON") {
    const auto json = nlohmann::json::parse(report_json(hostile_report()));
    CHECK(json["findings"][0]["object"] == "a\"b\\c\ne\x1b[31m\xef\xbf\xbd{}");
}

TEST_CASE("metrics tell the verdict, counts of every check, failures and the run") {
    const std::string text = report_metrics(usual_report());
    CHECK_THAT(text, StartsWith("# HELP ferrule_health_verdict "));
    CHECK_THAT(text, Contains("\nferrule_health_verdict 2\n"));
    CHECK_THAT(text, Contains("ferrule_health_findings{check=\"link-rate\",outcome=\"fail\"} 1\n"));
    CHECK_THAT(
        text, Contains("ferrule_health_findings{check=\"sysctl\",outcome=\"not_applicable\"} 1\n"));
    CHECK_THAT(text, Contains("ferrule_health_findings{check=\"acs\",outcome=\"pass\"} 0\n"));
    CHECK_THAT(text,
               Contains("ferrule_health_failure{check=\"firmware\",object=\"mlx5_3\"} 1\n"
                        "ferrule_health_failure{check=\"link-rate\",object=\"mlx5_3/1\"} 2\n"));
    CHECK_THAT(text, Contains("\nferrule_health_last_run_timestamp_seconds 1700000000\n"));
    CHECK_THAT(text, Contains("\nferrule_health_duration_seconds 1.234\n"));
}

TEST_CASE("no two samples of the metrics have the same name and labels") {
    // Two counters of one port beyond their limits, the second of them worse.
    const Finding first{"link-errors", "mlx5_0/1", Outcome::Fail, Severity::Warning,
                        "a",           "b",        "c",           "d"};
    Finding second = first;
    second.severity = Severity::Critical;
    const std::string text = report_metrics(report_with({first, second, first}));
    std::set<std::string> samples;
    for (const std::string& line : lines_of(text)) {
        INFO(line);
        CHECK(samples.insert(line.substr(0, line.rfind(' '))).second);
    }
    CHECK_THAT(text, Contains("ferrule_health_failure{check=\"link-errors\",object=\"mlx5_0/1\"} "
                              "2\n"));
    CHECK_THAT(text,
               Contains("ferrule_health_findings{check=\"link-errors\",outcome=\"fail\"} 3\n"));
}

TEST_CASE("metrics of hostile names are metrics") {
    const std::string text = report_metrics(hostile_report());
    CHECK_THAT(text, Contains(R"(object="a\"b\\x5cc\\x0ae\\x1b[31m\\xff{}"} 2)"));
    CHECK(text.find('\xff') == std::string::npos);
}

TEST_CASE("changes are a line each, with what was not there") {
    CHECK(changes_text({{"mlx5_0/1 rate", "400", "200"}, {"a", "", "x"}, {"b\n", "y", ""}}) ==
          "mlx5_0/1 rate: 400 -> 200\na: (none) -> x\nb\\x0a: y -> (none)\n");
    CHECK(changes_text({}).empty());
}

TEST_CASE("a check explains itself, and all are listed") {
    const Check* const check = find_check("link-rate");
    REQUIRE(check != nullptr);
    CHECK_THAT(check_text(*check), StartsWith("link-rate: Does every rail run at its rate?\n"));
    CHECK_THAT(check_text(*check), Contains("\n  fabrics:  IB, RoCE\n  severity: critical\n"
                                            "  keys:     rate\n"));
    CHECK_THAT(check_text(*find_check("device-hung")), Contains("\n  keys:     none\n"));
    CHECK(lines_of(check_list_text()).size() == all_checks().size());
    CHECK_THAT(check_list_text(), Contains("\nacs                Do GPU and adapter talk"));
}
