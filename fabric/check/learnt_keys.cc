#include "fabric/check/learnt_keys.h"

#include "fabric/base/text.h"
#include "fabric/check/check_words.h"
#include "fabric/check/gid_words.h"
#include "fabric/policy/rails.h"

#include <fmt/format.h>

#include <array>

namespace ferrule {

namespace {

std::string no_doubt(const std::string&) {
    return {};
}

std::optional<std::string> known_text(const std::string& text) {
    // A list has no place for a blank or a comma inside of a value.
    const bool plain = !text.empty() && text.find_first_of(" ,;#") == std::string::npos;
    return plain ? std::optional{text} : std::nullopt;
}

std::optional<std::string> rate_text(const Sample& it) {
    constexpr unsigned kMegabitsInATenth = 100;
    if (!is_active(it.port) || it.port.fabric == FabricKind::Efa) {
        return std::nullopt;
    }
    if (is_roce(it.port) && it.netdev != nullptr && it.netdev->speed) {
        return gbps_text(it.netdev->speed.value_or(0) / kMegabitsInATenth);
    }
    const auto rate = known_rate({it.port.hca, it.port.port});
    return rate ? std::optional{gbps_text(*rate)} : std::nullopt;
}

std::optional<std::string> mtu_text(const Sample& it) {
    const bool counts = is_roce(it.port) && it.netdev != nullptr && it.netdev->mtu;
    return counts ? std::optional{std::to_string(it.netdev->mtu.value_or(0))} : std::nullopt;
}

std::string doubt_mtu(const std::string& value) {
    constexpr unsigned kSmallest = 2200;
    return parse_number<unsigned>(value).value_or(0) < kSmallest
               ? "RDMA packets of 4096 bytes need an MTU of 4200 or more"
               : std::string{};
}

std::optional<std::string> active_mtu_text(const Sample& it) {
    const auto& mtu = it.port.port->active_mtu;
    return mtu && is_active(it.port) ? std::optional{std::to_string(*mtu)} : std::nullopt;
}

std::string doubt_active_mtu(const std::string& value) {
    constexpr unsigned kSmallest = 2048;
    return parse_number<unsigned>(value).value_or(0) < kSmallest
               ? "small packets cost bandwidth; raise the MTU of the interfaces first"
               : std::string{};
}

// Of the first interface; members of a bond are alike, or the check says so.
const DcbState* dcb_of(const Sample& it) {
    for (const Netdev* const netdev : physical_netdevs(*it.node, it.port)) {
        if (netdev->dcb) {
            return &*netdev->dcb;
        }
    }
    return nullptr;
}

std::optional<std::string> pfc_text(const Sample& it) {
    const DcbState* const dcb = dcb_of(it);
    return dcb != nullptr && dcb->pfc ? std::optional{to_text(dcb->pfc->enabled)} : std::nullopt;
}

std::string doubt_pfc(const std::string& value) {
    return value == "none" ? "RoCE without PFC drops under load; if that is meant, take the # away"
                           : std::string{};
}

std::optional<std::string> trust_text(const Sample& it) {
    const DcbState* const dcb = dcb_of(it);
    const auto trust = dcb != nullptr ? trust_of(*dcb) : std::nullopt;
    return trust ? std::optional{std::string{to_text(*trust)}} : std::nullopt;
}

std::string doubt_trust(const std::string& value) {
    return value == "pcp" ? "RoCE v2 is marked by DSCP" : std::string{};
}

// Entries that differ from the default map.
std::optional<std::string> dscp_map_text(const Sample& it) {
    const DcbState* const dcb = dcb_of(it);
    if (dcb == nullptr || !dcb->applications) {
        return std::nullopt;
    }
    const auto map = priority_of_dscp(*dcb->applications);
    const PrioritySet pfc = dcb->pfc ? dcb->pfc->enabled : PrioritySet{};
    std::vector<std::string> entries;
    entries.reserve(kDscps);
    constexpr std::size_t kRoceDscp = 26;
    constexpr std::size_t kNotificationDscp = 48;
    for (std::size_t dscp = 0; dscp < kDscps; ++dscp) {
        const bool of_roce = (dscp == kRoceDscp && pfc.has(map.at(dscp))) ||
                             (dscp == kNotificationDscp && pfc.bits != 0);
        if (map.at(dscp) != dscp >> 3U || of_roce) {
            entries.push_back(fmt::format("{}:{}", dscp, map.at(dscp)));
        }
    }
    return entries.empty() ? std::nullopt : std::optional{joined(entries, ", ")};
}

std::optional<std::string> pause_text(const Sample& it) {
    if (!is_roce(it.port) || it.netdev == nullptr || !it.netdev->ethernet ||
        !it.netdev->ethernet->pause) {
        return std::nullopt;
    }
    const PauseState pause = it.netdev->ethernet->pause.value_or(PauseState{});
    return std::string{pause.receive || pause.transmit ? "on" : "off"};
}

std::string doubt_pause(const std::string& value) {
    return value == "on" ? "global pause stops all traffic of a port" : std::string{};
}

std::optional<std::string> fec_text(const Sample& it) {
    const bool told = is_roce(it.port) && it.netdev != nullptr && it.netdev->ethernet;
    return told ? it.netdev->ethernet->fec : std::nullopt;
}

std::optional<std::string> width_text(const Sample& it) {
    const unsigned lanes = it.port.port->rate.value_or(LinkRate{}).lanes;
    const bool counts = is_infiniband(it.port) && is_active(it.port) && lanes != 0;
    return counts ? std::optional{std::to_string(lanes)} : std::nullopt;
}

std::string doubt_width(const std::string& value) {
    constexpr unsigned kUsual = 4;
    return parse_number<unsigned>(value).value_or(0) < kUsual
               ? "a port has four lanes, unless a splitting cable is meant"
               : std::string{};
}

std::optional<std::string> family_text(const Sample& it) {
    const GidEntry* const entry = needs_gid(it.port) ? usable_gid({}, it.port) : nullptr;
    if (entry == nullptr) {
        return std::nullopt;
    }
    return std::string{entry->gid.address().family == IpFamily::V4 ? "ipv4" : "ipv6"};
}

std::optional<std::string> link_of(const Sample& it, bool speed) {
    const auto& pcie = it.port.hca->pcie;
    const bool told = pcie && !pcie->path.empty() && pcie->path.front().current;
    if (!told) {
        return std::nullopt;
    }
    const PciLink link = pcie->path.front().current.value_or(PciLink{});
    const PciLink most = pcie->path.front().max.value_or(link);
    const bool below = link.lanes < most.lanes;
    const std::string text = speed ? gbps_text(link.tenth_gts) : std::to_string(link.lanes);
    // Below what the card can do: told apart from the same figure of a card that can no more.
    return below && !speed ? text + " below its capability" : text;
}

std::string doubt_pcie(const std::string& value) {
    return value.find("below") == std::string::npos ? std::string{}
                                                    : "the card can do more: look at its slot";
}

// Of the buffer that lossless packets use; less is less.
std::optional<std::string> buffer_text(const Sample& it) {
    const DcbState* const dcb = dcb_of(it);
    if (dcb == nullptr || !dcb->buffers || !dcb->pfc) {
        return std::nullopt;
    }
    for (unsigned priority = 0; priority < kPriorities; ++priority) {
        const unsigned buffer = dcb->buffers->buffer_of_priority.at(priority);
        if (dcb->pfc->enabled.has(priority) && buffer < kPriorities) {
            return std::to_string(dcb->buffers->sizes.at(buffer)) + "+";
        }
    }
    return std::nullopt;
}

std::string doubt_buffer(const std::string& value) {
    return value == "0+" ? "a lossless priority without a buffer" : std::string{};
}

std::optional<std::string> dcbx_text(const Sample& it) {
    constexpr unsigned kHost = 1;
    const DcbState* const dcb = dcb_of(it);
    if (dcb == nullptr || !dcb->dcbx) {
        return std::nullopt;
    }
    return std::string{(dcb->dcbx.value_or(0) & kHost) != 0 ? "host" : "firmware"};
}

// Classes that somebody has set up; "vendor" is how they come.
std::optional<std::string> ets_text(const Sample& it) {
    const DcbState* const dcb = dcb_of(it);
    std::vector<std::string> classes;
    for (std::size_t i = 0; dcb != nullptr && dcb->ets && i < kPriorities; ++i) {
        const TransmitSelection selection = dcb->ets->selection.at(i);
        const std::string share = selection == TransmitSelection::Ets
                                      ? fmt::format(":{}", dcb->ets->bandwidth.at(i))
                                      : std::string{};
        if (selection != TransmitSelection::Vendor) {
            classes.push_back(fmt::format("{}:{}{}", i, to_text(selection), share));
        }
    }
    return classes.empty() ? std::nullopt : std::optional{joined(classes, ", ")};
}

std::optional<std::string> read_request_text(const Sample& it) {
    const auto& pcie = it.port.hca->pcie;
    const bool told = pcie && pcie->max_read_request;
    return told ? std::optional{std::to_string(pcie->max_read_request.value_or(0)) + "+"}
                : std::nullopt;
}

std::optional<std::string> ordering_text(const Sample& it) {
    const auto& pcie = it.port.hca->pcie;
    const bool told = pcie && pcie->relaxed_ordering;
    return told ? std::optional{std::string{pcie->relaxed_ordering.value_or(false) ? "on" : "off"}}
                : std::nullopt;
}

constexpr std::array kKeys{
    LearntKey{"link_layer",
              [](const Sample& it) -> std::optional<std::string> {
                  const LinkLayer layer = it.port.port->link_layer;
                  return layer == LinkLayer::Unspecified ? std::nullopt
                                                         : std::optional{to_text(layer)};
              },
              no_doubt},
    LearntKey{"rate", rate_text, no_doubt},
    LearntKey{"width", width_text, doubt_width},
    LearntKey{"mtu", mtu_text, doubt_mtu},
    LearntKey{"active_mtu", active_mtu_text, doubt_active_mtu},
    LearntKey{"pfc", pfc_text, doubt_pfc},
    LearntKey{"trust", trust_text, doubt_trust},
    LearntKey{"dscp_map", dscp_map_text, no_doubt},
    LearntKey{"global_pause", pause_text, doubt_pause},
    LearntKey{"ets", ets_text, no_doubt},
    LearntKey{"pfc_buffer", buffer_text, doubt_buffer},
    LearntKey{"dcbx", dcbx_text, no_doubt},
    LearntKey{"fec", fec_text, no_doubt},
    LearntKey{"gid_family", family_text, no_doubt},
    LearntKey{"firmware", [](const Sample& it) { return known_text(it.port.hca->firmware); },
              no_doubt},
    LearntKey{"driver", [](const Sample& it) { return known_text(it.port.hca->driver); }, no_doubt},
    LearntKey{"board", [](const Sample& it) { return known_text(it.port.hca->board_id); },
              no_doubt},
    LearntKey{"pcie_speed", [](const Sample& it) { return link_of(it, true); }, no_doubt},
    LearntKey{"pcie_width", [](const Sample& it) { return link_of(it, false); }, doubt_pcie},
    LearntKey{"read_request", read_request_text, no_doubt},
    LearntKey{"relaxed_ordering", ordering_text, no_doubt},
};

}  // namespace

std::span<const LearntKey> learnt_keys() {
    return kKeys;
}

}  // namespace ferrule
