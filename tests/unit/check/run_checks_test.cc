// All checks together: what a healthy node gets, which checks run, and the table itself.
#include "tests/support/health_world.h"

#include <set>

using namespace ferrule;
using namespace ferrule::testing;

namespace {

std::set<std::string> checks_of(const std::vector<Finding>& findings) {
    std::set<std::string> names;
    for (const Finding& finding : findings) {
        names.insert(finding.check);
    }
    return names;
}

std::vector<Finding> bad(const std::vector<Finding>& findings) {
    std::vector<Finding> some;
    std::ranges::copy_if(findings, std::back_inserter(some), [](const Finding& it) {
        return it.outcome == Outcome::Fail || it.outcome == Outcome::Unknown;
    });
    return some;
}

}  // namespace

TEST_CASE("a healthy node fails nothing and leaves nothing unknown") {
    const Fabric fabric = GENERATE(Fabric::InfiniBand, Fabric::Roce, Fabric::Efa);
    const auto findings = judged(world_of(fabric));
    for (const Finding& finding : bad(findings)) {
        FAIL_CHECK(finding.check << " " << finding.object << " " << finding.seen);
    }
    CHECK(verdict_of(findings) == Verdict::Ok);
}

TEST_CASE("every check says something of a node with rails of its fabric") {
    std::set<std::string> names = checks_of(judged(infiniband_world()));
    names.merge(checks_of(judged(roce_world())));
    for (const Check& check : all_checks()) {
        INFO(check.name);
        CHECK(names.contains(std::string{check.name}));
    }
}

TEST_CASE("a node without any fabric has no failure") {
    World world{};
    const auto findings = judged(world);
    CHECK(bad(findings).empty());
}

TEST_CASE("every check has a name of its own, and words for its manual") {
    std::set<std::string_view> names;
    for (const Check& check : all_checks()) {
        INFO(check.name);
        CHECK(names.insert(check.name).second);
        CHECK(find_check(check.name) == &check);
        CHECK(check.asks.ends_with("?"));
        CHECK(check.why.ends_with("."));
        CHECK_FALSE(check.fabrics.empty());
    }
    CHECK(find_check("no-such-check") == nullptr);
}

TEST_CASE("the worst comes first, and every failure has all its words") {
    World world = roce_world();
    world.port(1).state = PortState::Down;
    world.netdev(2).mtu = 1500;
    world.hca(3).firmware = "1.1.1";
    world.netdev(0).mtu = std::nullopt;

    const auto findings = judged(world);

    CHECK(findings.front().severity == Severity::Critical);
    CHECK(findings.front().outcome == Outcome::Fail);
    CHECK(findings.back().outcome == Outcome::NotApplicable);
    CHECK(verdict_of(findings) == Verdict::Critical);
    for (const Finding& finding : findings) {
        INFO(finding.check << " " << finding.object);
        CHECK_FALSE(finding.seen.empty());
        CHECK_FALSE(finding.object.empty());
        CHECK((finding.outcome == Outcome::Fail) == !finding.wanted.empty());
        CHECK((finding.outcome == Outcome::Fail) == !finding.rule.empty());
        CHECK((finding.outcome == Outcome::Fail) == !finding.remedy.empty());
    }
}

TEST_CASE("skipped checks do not run, unless they are asked for by name") {
    World world = infiniband_world();
    world.wants().skipped_checks = {"link-rate", "firmware"};
    const auto names = checks_of(judged(world));
    CHECK_FALSE(names.contains("link-rate"));
    CHECK_FALSE(names.contains("firmware"));
    CHECK(names.contains("link-width"));
    CHECK(checks_of(judged(world, "firmware")) == std::set<std::string>{"firmware"});
}

TEST_CASE("what the profile wants is quoted by its file, line and key") {
    World world = infiniband_world();
    world.wants().rate = NumberRange{8000, 8000};
    world.profile.name = "hopper";
    CHECK(judged(world, "link-rate").front().rule == "profile hopper (rate)");
    world.profile.file = "/etc/ferrule/ferrule.conf";
    world.profile.lines["rate"] = 12;
    CHECK(judged(world, "link-rate").front().rule == "ferrule.conf:12 (rate)");
}
