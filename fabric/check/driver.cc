#include "fabric/check/checks.h"
#include "fabric/check/compare.h"

#include <algorithm>

namespace ferrule {

namespace {

// A driver of the kernel's own has the kernel's version.
std::string version_of(const CheckInput& input, const Hca& hca) {
    return hca.driver_version.empty() ? input.snapshot.kernel : hca.driver_version;
}

void check_version(const CheckInput& input, const Subject& it, Findings& findings) {
    const auto& rules = input.profile.expected.driver_version;
    const std::string version = version_of(input, *it.port.hca);
    const bool fits =
        std::ranges::any_of(rules, [&](const VersionRule& rule) { return rule.fits(version); });
    if (version.empty()) {
        findings.unknown(it.object, "its version is not told");
    } else if (fits) {
        findings.pass(it.object, it.port.hca->driver + " " + version);
    } else {
        findings.fail({it.object, it.port.hca->driver + " " + version, to_text(rules),
                       rule_of(input.profile, "driver_version"),
                       "install the site's version of the driver"});
    }
}

}  // namespace

void check_driver(const CheckInput& input, Findings& findings) {
    Comparison<std::string> question{};
    question.key = "driver";
    question.remedy = "look which driver is bound: lspci -k";
    question.not_asked = [](const CheckInput& in, const Subject& it) -> std::string_view {
        const bool known = !it.port.hca->driver.empty();
        return known || !in.profile.expected.drivers.empty() ? "" : "a device of software";
    };
    question.value = [](const CheckInput&, const Subject& it) -> std::optional<std::string> {
        const std::string& driver = it.port.hca->driver;
        return driver.empty() ? std::nullopt : std::optional{driver};
    };
    question.text = plain_text;
    question.fits = [](const CheckInput& in, const Subject&,
                       const std::string& value) -> std::optional<bool> {
        const auto& drivers = in.profile.expected.drivers;
        return drivers.empty() ? std::nullopt
                               : std::optional{std::ranges::count(drivers, value) > 0};
    };
    question.wanted = [](const CheckInput& in, const Subject&) {
        return joined(in.profile.expected.drivers, " or ");
    };
    question.source = [](const Subject& it) {
        return "sys/class/infiniband/" + it.port.hca->name + "/device";
    };
    question.odd_one = Severity::Warning;
    compare(input, device_subjects(input), question, findings);
    for (const Subject& subject : device_subjects(input)) {
        if (!input.profile.expected.driver_version.empty()) {
            check_version(input, subject, findings);
        }
    }
}

}  // namespace ferrule
