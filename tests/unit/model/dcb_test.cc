// Priorities, trust and the map of DSCPs.
#include "fabric/model/dcb.h"

#include "tests/support/catch.h"

using namespace ferrule;

namespace {

DcbState with_entries(const std::vector<AppEntry>& entries) {
    DcbState state{};
    state.applications = entries;
    return state;
}

}  // namespace

TEST_CASE("a set of priorities prints as a list and reads back") {
    struct Case {
        unsigned bits;
        const char* text;
    };

    const Case it = GENERATE(Case{0, "none"}, Case{8, "3"}, Case{0x18, "3,4"}, Case{0x81, "0,7"},
                             Case{0xff, "0,1,2,3,4,5,6,7"});
    const PrioritySet set{static_cast<std::uint8_t>(it.bits)};
    CHECK(to_text(set) == it.text);
    CHECK(parse_priorities(it.text) == set);
}

TEST_CASE("blanks and repetition are taken in a list of priorities, anything else is not") {
    CHECK(parse_priorities(" 3 , 4,3") == PrioritySet{0x18});
    const char* const text = GENERATE("", " ", "8", "3,", ",3", "-1", "3;4", "None", "all", "3 4");
    INFO(text);
    CHECK_FALSE(parse_priorities(text));
}

TEST_CASE("a priority beyond the last is in no set") {
    CHECK(PrioritySet{0xff}.has(7));
    CHECK_FALSE(PrioritySet{0xff}.has(8));
    CHECK_FALSE(PrioritySet{0xff}.has(32));
}

TEST_CASE("a port trusts the DSCP when its table has one, and tells nothing without a table") {
    CHECK(trust_of({}) == std::nullopt);
    CHECK(trust_of(with_entries({})) == TrustMode::Pcp);
    CHECK(trust_of(with_entries({{AppSelector::Ethertype, 0x8915, 3}})) == TrustMode::Pcp);
    CHECK(trust_of(with_entries({{AppSelector::Dscp, 26, 3}})) == TrustMode::Dscp);
}

TEST_CASE("a DSCP has the priority of its entry, else of its upper three bits") {
    const auto map = priority_of_dscp({{AppSelector::Dscp, 26, 5},
                                       {AppSelector::Dscp, 64, 1},
                                       {AppSelector::Udp, 4791, 2},
                                       {AppSelector::Dscp, 48, 1},
                                       {AppSelector::Dscp, 48, 6}});
    CHECK(map[26] == 5);
    CHECK(map[27] == 3);
    CHECK(map[48] == 6);
    CHECK(map[0] == 0);
    CHECK(map[63] == 7);
}

TEST_CASE("words for what a port does, and the number where there is none") {
    CHECK(to_text(TrustMode::Dscp) == "dscp");
    CHECK(to_text(TrustMode::Pcp) == "pcp");
    CHECK(to_text(TransmitSelection::Strict) == "strict");
    CHECK(to_text(TransmitSelection::CreditShaper) == "cbs");
    CHECK(to_text(TransmitSelection::Ets) == "ets");
    CHECK(to_text(TransmitSelection::Vendor) == "vendor");
    CHECK(to_text(static_cast<TransmitSelection>(7)) == "7");
    CHECK(to_text(AppSelector::Ethertype) == "ethertype");
    CHECK(to_text(AppSelector::Dscp) == "dscp");
    CHECK(to_text(AppSelector::Pcp) == "pcp");
    CHECK(to_text(static_cast<AppSelector>(9)) == "9");
}
