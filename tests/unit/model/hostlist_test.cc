#include "fabric/model/hostlist.h"

#include "fabric/base/text.h"
#include "tests/support/catch.h"

using namespace ferrule;

TEST_CASE("a hostlist expands as scontrol show hostnames does") {
    struct Vector {
        const char* text;
        const char* names;
    };

    for (const auto& [text, names] : {
             Vector{"n[1-3,7]", "n1 n2 n3 n7"},
             Vector{"n[001-003]", "n001 n002 n003"},
             Vector{"gpu[08-11]", "gpu08 gpu09 gpu10 gpu11"},
             Vector{"n[099-101]", "n099 n100 n101"},
             Vector{"n[00-1]", "n00 n01"},
             Vector{"rack[0-1]node[0-1]", "rack0node0 rack0node1 rack1node0 rack1node1"},
             Vector{"n[0-1][0-1]", "n00 n01 n10 n11"},
             Vector{"[1-3]", "1 2 3"},
             Vector{"a,b,n[1-2]", "a b n1 n2"},
             Vector{"ip-10-0-0-[1-3]", "ip-10-0-0-1 ip-10-0-0-2 ip-10-0-0-3"},
             Vector{"n[1,1]", "n1 n1"},
             Vector{"a\nb c", "a b c"},
             Vector{"", ""},
         }) {
        const auto expanded = parse_hostlist(text);
        REQUIRE(expanded);
        CHECK(joined(*expanded, " ") == names);
    }
}

TEST_CASE("what is no hostlist is refused with the part that is wrong") {
    for (const char* bad :
         {"gpu[8-11]-ib", "n[1-2].x", "n[3-1]", "n[]", "n[1-3:2]", "n[1-", "n1]", "n[0-65536]",
          "n[0-9999]x[0-9999]", "n[1-99999999999999999999]", "n[a]"}) {
        const auto expanded = parse_hostlist(bad);
        INFO(bad);
        REQUIRE_FALSE(expanded);
        CHECK(expanded.error().text.starts_with("hostlist: "));
    }
}

TEST_CASE("a name longer than any host's is refused before it is multiplied") {
    CHECK(parse_hostlist(std::string(255, 'a')));
    CHECK_FALSE(parse_hostlist(std::string(256, 'a')));
    CHECK_FALSE(parse_hostlist(std::string(50000, 'a') + "[1-65536]"));
    CHECK_FALSE(parse_hostlist("n[1-65536]" + std::string(300, 'x') + "[1]"));
}

TEST_CASE("ten thousand nodes expand") {
    const auto expanded = parse_hostlist("n[0-9999]");
    REQUIRE(expanded);
    CHECK(expanded->size() == 10000);
    CHECK(expanded->back() == "n9999");
}
