#include "fabric/model/dcb.h"

#include "fabric/base/text.h"

#include <algorithm>

namespace ferrule {

std::optional<TrustMode> trust_of(const DcbState& state) {
    if (!state.applications) {
        return std::nullopt;
    }
    const bool any = std::ranges::any_of(*state.applications, [](const AppEntry& entry) {
        return entry.selector == AppSelector::Dscp;
    });
    return any ? TrustMode::Dscp : TrustMode::Pcp;
}

std::array<std::uint8_t, kDscps> priority_of_dscp(const std::vector<AppEntry>& table) {
    std::array<std::uint8_t, kDscps> map{};
    for (std::size_t dscp = 0; dscp < kDscps; ++dscp) {
        map.at(dscp) = static_cast<std::uint8_t>(dscp >> 3U);
    }
    for (const AppEntry& entry : table) {
        if (entry.selector == AppSelector::Dscp && entry.protocol < kDscps) {
            map.at(entry.protocol) = entry.priority;
        }
    }
    return map;
}

std::string to_text(PrioritySet priorities) {
    std::string text;
    for (unsigned priority = 0; priority < kPriorities; ++priority) {
        if (priorities.has(priority)) {
            text += (text.empty() ? "" : ",") + std::to_string(priority);
        }
    }
    return text.empty() ? "none" : text;
}

std::optional<PrioritySet> parse_priorities(std::string_view text) {
    if (text == "none") {
        return PrioritySet{};
    }
    unsigned bits = 0;
    for (const std::string_view piece : split(text, ',')) {
        const auto priority = parse_number<unsigned>(trimmed(piece));
        if (!priority || *priority >= kPriorities) {
            return std::nullopt;
        }
        bits |= 1U << *priority;
    }
    return bits == 0 ? std::nullopt : std::optional{PrioritySet{static_cast<std::uint8_t>(bits)}};
}

std::string_view to_text(TrustMode mode) {
    return mode == TrustMode::Dscp ? "dscp" : "pcp";
}

std::string to_text(TransmitSelection selection) {
    switch (selection) {
        case TransmitSelection::Strict:
            return "strict";
        case TransmitSelection::CreditShaper:
            return "cbs";
        case TransmitSelection::Ets:
            return "ets";
        case TransmitSelection::Vendor:
            return "vendor";
    }
    return std::to_string(static_cast<int>(selection));
}

std::string to_text(AppSelector selector) {
    switch (selector) {
        case AppSelector::Ethertype:
            return "ethertype";
        case AppSelector::Tcp:
            return "tcp";
        case AppSelector::Udp:
            return "udp";
        case AppSelector::AnyPort:
            return "port";
        case AppSelector::Dscp:
            return "dscp";
        case AppSelector::Pcp:
            return "pcp";
    }
    return std::to_string(static_cast<int>(selector));
}

}  // namespace ferrule
