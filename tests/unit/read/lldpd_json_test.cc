#include "fabric/read/lldpd_json.h"

#include "tests/support/catch.h"
#include "tests/support/machine.h"

using namespace ferrule;
using namespace ferrule::testing;

namespace {

std::string recorded(const std::string& name) {
    return slurp(std::string{FERRULE_RECORDED} + "/" + name);
}

// One neighbour of eth0 with these members.
std::string neighbour(const std::string& members) {
    return R"({"lldp": {"interface": {"eth0": {)" + members + "}}}}";
}

std::string tlv(const std::string& members) {
    return neighbour(R"("unknown-tlvs": {"unknown-tlv": {)" + members + "}}");
}

}  // namespace

TEST_CASE("one neighbour, as lldpd printed it, has its names and what DCBX told") {
    const auto neighbours = parse_lldpd_json(recorded("lldpd-one.json")).value();
    REQUIRE(neighbours.size() == 1);
    const LldpNeighbour& leaf = neighbours.at("near0");
    CHECK(leaf.system_name == "leaf-1");
    CHECK(leaf.chassis_id == "0c:42:a1:00:00:01");
    CHECK(leaf.port_id == "Ethernet1/0");
    CHECK(leaf.port_description == "to n1");
    CHECK(leaf.ttl_seconds == 120);
    CHECK(leaf.vlan == 100);
    CHECK(leaf.max_frame_size == 9234U);
    CHECK(leaf.pfc == LldpPfc{true, true, 8, {1U << 3U}});
    CHECK(leaf.ets.value().classes == 3);
    CHECK(leaf.applications ==
          std::vector<AppEntry>{{AppSelector::Dscp, 26, 3}, {AppSelector::Ethertype, 0x8906, 3}});
}

TEST_CASE("two neighbours are a list, and one without a name has none") {
    const auto neighbours = parse_lldpd_json(recorded("lldpd-two.json")).value();
    REQUIRE(neighbours.size() == 2);
    CHECK(neighbours.at("near0").system_name == "leaf-1");
    CHECK(neighbours.at("near1").system_name.empty());
    CHECK(neighbours.at("near1").chassis_id == "0c:42:a1:00:00:02");
    CHECK(neighbours.at("near1").pfc == neighbours.at("near0").pfc);
}

TEST_CASE("no neighbours are none, and of several VLANs the untagged one counts") {
    CHECK(parse_lldpd_json(R"({"lldp": {}})").value().empty());
    CHECK(
        parse_lldpd_json(
            neighbour(R"("vlan": [{"vlan-id": "7", "pvid": false}, {"vlan-id": 9, "pvid": true}])"))
            .value()
            .at("eth0")
            .vlan == 9);
}

TEST_CASE("other protocols are left out, and the first neighbour of an interface counts") {
    const auto neighbours = parse_lldpd_json(R"({"lldp": {"interface": [
        {"eth0": {"via": "CDPv2", "port": {"descr": "a"}}},
        {"eth0": {"via": "LLDP", "port": {"descr": "b"}}},
        {"eth0": {"via": "LLDP", "port": {"descr": "c"}}}]}})");
    CHECK(neighbours.value().at("eth0").port_description == "b");
}

TEST_CASE("what is of another form is an error or says nothing, and never worse") {
    for (const char* text : {"", "{", "[]", "7", R"({"json": {}})"}) {
        CHECK(parse_lldpd_json(text).error().code == std::errc::bad_message);
    }
    for (const char* members :
         {R"("chassis": 7, "port": [], "vlan": "x", "unknown-tlvs": [1])",
          R"("chassis": {"sw": 1}, "port": {"id": {}, "ttl": {}, "mfs": "many"})"}) {
        CHECK(parse_lldpd_json(neighbour(members)).value().at("eth0").port_id.empty());
    }
    for (const char* interfaces : {R"({"eth0": [1], "eth1": null})", R"([1, null, "x", [{}]])"}) {
        CHECK(parse_lldpd_json(R"({"lldp": {"interface": )" + std::string{interfaces} + "}}")
                  .value()
                  .empty());
    }
    CHECK(parse_lldpd_json(std::string(100000, '[')).error().code == std::errc::bad_message);
}

TEST_CASE("a TLV that is no bytes, or too short, is an error") {
    for (const char* members : {R"("oui": "00,80,C2", "subtype": "11", "value": "08")",
                                R"("oui": "00,80,C2", "subtype": "11", "value": "0x,08")",
                                R"("oui": "00,80", "value": "08,08")",
                                R"("oui": "zz", "subtype": "11", "value": "8,8")"}) {
        CHECK_FALSE(parse_lldpd_json(tlv(members)));
    }
    CHECK(parse_lldpd_json(tlv(R"("oui": "00,80,C2", "subtype": 11, "value": "08,08")"))
              .value()
              .at("eth0")
              .pfc.value()
              .enabled == PrioritySet{8});
}
