// One fuzz target a parser: the function is chosen at build time, so that each has a corpus of its
// own. A target must survive any bytes; what more it promises is asserted here.
#include "fabric/model/gid.h"
#include "fabric/model/guid.h"
#include "fabric/model/hostlist.h"
#include "fabric/model/ip.h"
#include "fabric/model/link_rate.h"
#include "fabric/model/pci.h"
#include "fabric/model/port_state.h"
#include "fabric/model/profile.h"
#include "fabric/policy/job_gpus.h"
#include "fabric/policy/ownership.h"
#include "fabric/read/ip_text.h"
#include "fabric/read/rtnetlink.h"
#include "fabric/read/settings.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>
#include <string_view>

namespace {

using namespace ferrule;

void require(bool holds) {
    if (!holds) {
        std::abort();
    }
}

[[maybe_unused]] void settings(std::string_view text) {
    const auto parsed = parse_settings("ferrule.conf", text);
    require(parsed || parsed.error().text.starts_with("ferrule.conf:"));
}

[[maybe_unused]] void hostlist(std::string_view text) {
    const auto names = parse_hostlist(text);
    require(!names || names->size() <= kMostHosts);
}

[[maybe_unused]] void values(std::string_view text) {
    const auto gid = parse_gid(text);
    require(!gid || parse_gid(to_text(*gid)) == gid);
    const auto address = parse_pci_address(text);
    require(!address || parse_pci_address(to_text(*address)) == address);
    const auto rate = parse_link_rate(text);
    require(!rate || parse_link_rate(to_text(*rate)) == rate);
    const auto prefix = parse_prefix(text);
    require(!prefix || parse_prefix(to_text(*prefix)) == prefix);
    (void)parse_guid(text);
    (void)parse_port_state(text);
    (void)parse_rail_selector(text);
    (void)pci_place_of_link(text);
    (void)parse_nccl_version(text);
}

[[maybe_unused]] void marker(std::string_view text) {
    const Environment owned = parse_marker(text);
    require(parse_marker(to_marker(owned)) == owned);
    (void)parse_job_gpus(text, {Gpu{}, Gpu{}});
}

[[maybe_unused]] void ip_text(std::string_view text) {
    (void)parse_ip_address(text);
    for (const Route& route : parse_ip_route(text)) {
        require(!route.netdev.empty());
    }
}

[[maybe_unused]] void rtnetlink(std::string_view text) {
    const auto bytes = std::as_bytes(std::span{text.data(), text.size()});
    (void)decode_addresses(bytes);
    (void)decode_routes(bytes, RouteTable::Main);
    (void)decode_routes(bytes, RouteTable::Any);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    FERRULE_FUZZ_TARGET(std::string_view{reinterpret_cast<const char*>(data), size});
    return 0;
}
