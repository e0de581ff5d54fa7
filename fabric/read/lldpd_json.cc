#include "fabric/read/lldpd_json.h"

#include "fabric/base/text.h"
#include "fabric/read/lldp.h"

#include <nlohmann/json.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace ferrule {

namespace {

using Json = nlohmann::json;

// Nothing where it is no object, or has no such member.
const Json* member(const Json* from, const char* key) {
    if (from == nullptr || !from->is_object()) {
        return nullptr;
    }
    const auto found = from->find(key);
    return found == from->end() ? nullptr : &*found;
}

// lldpd writes a list of one as its only element.
std::vector<const Json*> elements(const Json* value) {
    std::vector<const Json*> list;
    if (value == nullptr || !value->is_array()) {
        return value == nullptr ? list : std::vector<const Json*>{value};
    }
    list.reserve(value->size());
    for (const Json& element : *value) {
        list.push_back(&element);
    }
    return list;
}

// Numbers come as texts, in other releases as numbers.
std::string text_of(const Json* value) {
    if (value == nullptr || value->is_structured()) {
        return {};
    }
    const auto* const text = value->get_ptr<const std::string*>();
    return printable(text == nullptr ? value->dump() : *text);
}

template <typename Number>
std::optional<Number> number_of(const Json* value) {
    return parse_number<Number>(text_of(value));
}

// "00,80,C2"
std::optional<std::vector<std::byte>> bytes_of(const Json* value) {
    // 511 bytes and their commas are more than a printed text may have.
    const auto* const text = value == nullptr ? nullptr : value->get_ptr<const std::string*>();
    std::vector<std::byte> bytes;
    for (const std::string_view digits :
         split(text == nullptr ? std::string_view{} : std::string_view{*text}, ',')) {
        const auto byte = parse_number<std::uint8_t>(digits, 16);
        if (!byte) {
            return std::nullopt;
        }
        bytes.push_back(std::byte{*byte});
    }
    return bytes;
}

// The chassis stands below its name, where it has one.
void take_chassis(const Json* chassis, LldpNeighbour& neighbour) {
    if (chassis != nullptr && chassis->is_object() && chassis->size() == 1 &&
        member(chassis, "id") == nullptr) {
        neighbour.system_name = printable(chassis->begin().key());
        chassis = &chassis->front();
    }
    neighbour.chassis_id = text_of(member(member(chassis, "id"), "value"));
}

void take_port(const Json* port, LldpNeighbour& neighbour) {
    neighbour.port_id = text_of(member(member(port, "id"), "value"));
    neighbour.port_description = text_of(member(port, "descr"));
    neighbour.ttl_seconds = number_of<unsigned>(member(port, "ttl")).value_or(0);
    neighbour.max_frame_size = number_of<unsigned>(member(port, "mfs"));
}

void take_vlan(const Json* vlans, LldpNeighbour& neighbour) {
    for (const Json* vlan : elements(vlans)) {
        if (text_of(member(vlan, "pvid")) == "true") {
            neighbour.vlan = number_of<std::uint16_t>(member(vlan, "vlan-id"));
        }
    }
}

Result<LldpNeighbour> with_tlv(LldpNeighbour neighbour, const Json* tlv) {
    const auto organisation = bytes_of(member(tlv, "oui"));
    const auto value = bytes_of(member(tlv, "value"));
    const auto subtype = number_of<unsigned>(member(tlv, "subtype"));
    if (!organisation || !value || !subtype) {
        return fail(std::errc::bad_message, "lldp: an unknown TLV that is no bytes");
    }
    std::uint32_t oui = 0;
    for (const std::byte byte : *organisation) {
        oui = (oui << 8U) | std::to_integer<std::uint32_t>(byte);
    }
    return with_organisation_tlv(std::move(neighbour), {oui, *subtype, *value});
}

Result<LldpNeighbour> neighbour_of(const Json* entry) {
    LldpNeighbour neighbour{};
    take_chassis(member(entry, "chassis"), neighbour);
    take_port(member(entry, "port"), neighbour);
    take_vlan(member(entry, "vlan"), neighbour);
    for (const Json* tlv : elements(member(member(entry, "unknown-tlvs"), "unknown-tlv"))) {
        neighbour = TRY(with_tlv(std::move(neighbour), tlv));
    }
    return neighbour;
}

bool is_lldp(const Json& entry) {
    const std::string protocol = text_of(member(&entry, "via"));
    return entry.is_object() && (protocol.empty() || protocol == "LLDP");
}

}  // namespace

Result<std::map<std::string, LldpNeighbour>> parse_lldpd_json(std::string_view text) {
    const Json document = Json::parse(text, nullptr, false);
    const Json* const lldp = member(&document, "lldp");
    if (lldp == nullptr) {
        return fail(std::errc::bad_message, "lldpd: not what lldpcli -f json prints");
    }
    std::map<std::string, LldpNeighbour> neighbours;
    for (const Json* interfaces : elements(member(lldp, "interface"))) {
        if (!interfaces->is_object()) {
            continue;
        }
        for (const auto& [netdev, entry] : interfaces->items()) {
            if (is_lldp(entry) && !neighbours.contains(netdev)) {
                neighbours[netdev] = TRY(neighbour_of(&entry));
            }
        }
    }
    return neighbours;
}

}  // namespace ferrule
