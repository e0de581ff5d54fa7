#include "fabric/check/checks.h"
#include "fabric/check/compare.h"

#include <algorithm>
#include <array>

namespace ferrule {

namespace {

// The largest packet of RDMA that fits into a frame: what drivers make of an interface's MTU.
// Source: iboe_get_mtu() of include/rdma/ib_addr.h: GRH, UDP, BTH, XRC, atomic and ICRC headers.
std::optional<unsigned> roce_mtu(const Netdev& netdev) {
    constexpr std::array<unsigned, 5> kSizes{4096, 2048, 1024, 512, 256};
    constexpr unsigned kHeaders = 40 + 8 + 12 + 4 + 28 + 4;
    if (!netdev.mtu) {
        return std::nullopt;
    }
    const unsigned room = *netdev.mtu > kHeaders ? *netdev.mtu - kHeaders : 0;
    const auto* const found =
        std::ranges::find_if(kSizes, [&](unsigned size) { return size <= room; });
    return found == kSizes.end() ? std::nullopt : std::optional{*found};
}

std::optional<unsigned> active_mtu(const CheckInput&, const Subject& it) {
    if (it.port.port->active_mtu) {
        return it.port.port->active_mtu;
    }
    return is_roce(it.port) && it.netdev != nullptr ? roce_mtu(*it.netdev) : std::nullopt;
}

}  // namespace

void check_active_mtu(const CheckInput& input, Findings& findings) {
    Comparison<unsigned> question{};
    question.key = "active_mtu";
    question.remedy =
        "RoCE: raise the interface's MTU to 4200 or more; InfiniBand: look at the MTU "
        "of the partition in opensm, and of the switch port";
    question.not_asked = [](const CheckInput& in, const Subject& it) -> std::string_view {
        const bool known = active_mtu(in, it).has_value();
        return known || in.profile.expected.active_mtu ? only_active_wires(in, it)
                                                       : "verbs was not asked";
    };
    question.value = active_mtu;
    question.text = [](const unsigned& value) { return std::to_string(value) + " bytes"; };
    question.fits = [](const CheckInput& in, const Subject&,
                       const unsigned& value) -> std::optional<bool> {
        const auto& wanted = in.profile.expected.active_mtu;
        return wanted ? std::optional{wanted->contains(value)} : std::nullopt;
    };
    question.wanted = [](const CheckInput& in, const Subject&) {
        return to_text(in.profile.expected.active_mtu.value_or(NumberRange{})) + " bytes";
    };
    question.source = [](const Subject& it) { return "verbs " + it.port.hca->name; };
    compare(input, port_subjects(input), question, findings);
}

}  // namespace ferrule
