// What a site says must be true of a class of nodes. What is not said is not asked, or is worked
// out from the node itself by the rules of fabric/check.
#pragma once

#include "fabric/model/dcb.h"
#include "fabric/model/event_limit.h"
#include "fabric/model/hca.h"
#include "fabric/model/ip.h"
#include "fabric/model/number_range.h"
#include "fabric/model/version_rule.h"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace ferrule {

// Names ports: a PCI address, or the name of an HCA or of a netdev, each with or without a port.
struct RailSelector {
    std::string text{};
    std::optional<PciAddress> pci{};
    std::string name{};
    std::optional<unsigned> port{};

    bool operator==(const RailSelector&) const = default;
};

// One value for all rails, or one for each in the order of the profile's rails.
template <typename T>
struct PerRail {
    std::vector<T> values{};

    [[nodiscard]] const T* of(std::size_t rail) const {
        if (values.size() == 1) {
            return &values.front();
        }
        return rail < values.size() ? &values[rail] : nullptr;
    }

    bool operator==(const PerRail&) const = default;
};

struct DscpPriority {
    std::uint8_t dscp{0};
    std::uint8_t priority{0};

    bool operator==(const DscpPriority&) const = default;
};

// "3:ets:50": how a traffic class is served.
struct ClassService {
    std::uint8_t traffic_class{0};
    TransmitSelection selection{TransmitSelection::Strict};
    std::optional<std::uint8_t> bandwidth{};

    bool operator==(const ClassService&) const = default;
};

enum class DcbxOwner { Host, Firmware };
enum class Switched { Off, On };
// How GPU memory is to be reached by adapters.
enum class GpuDirect { Any, Peermem, Dmabuf };

struct CounterLimit {
    std::string meaning{};
    EventLimit limit{};

    bool operator==(const CounterLimit&) const = default;
};

struct Expectation {
    std::vector<RailSelector> unused{};
    // Tenths of Gb/s.
    std::optional<NumberRange> rate{};
    std::optional<NumberRange> width{};
    // Bytes: of the netdev, and of RDMA messages' packets.
    std::optional<NumberRange> mtu{};
    std::optional<NumberRange> active_mtu{};
    std::optional<PrioritySet> pfc{};
    std::optional<TrustMode> trust{};
    std::vector<DscpPriority> dscp_map{};
    std::vector<ClassService> ets{};
    // Bytes of the receive buffer that the PFC priorities use.
    std::optional<NumberRange> pfc_buffer{};
    std::optional<DcbxOwner> dcbx{};
    std::optional<Switched> global_pause{};
    std::optional<PrioritySet> ecn{};
    std::optional<std::string> fec{};
    // Of connections made by rdma_cm.
    std::optional<unsigned> cm_roce_version{};
    std::optional<std::uint8_t> cm_tos{};
    PerRail<IpPrefix> rail_subnets{};
    std::optional<unsigned> gid_index{};
    std::optional<unsigned> pkey_index{};
    std::optional<Lid> sm_lid{};
    std::vector<VersionRule> firmware{};
    std::vector<VersionRule> driver_version{};
    std::vector<std::string> drivers{};
    std::vector<std::string> boards{};
    // Tenths of GT/s, and lanes, of the adapter's own link and of the narrowest on its way.
    std::optional<NumberRange> pcie_speed{};
    std::optional<NumberRange> pcie_width{};
    std::optional<Switched> acs{};
    std::optional<Switched> relaxed_ordering{};
    std::optional<NumberRange> read_request{};
    std::optional<NumberRange> hcas{};
    std::optional<unsigned> efa_devices{};
    std::optional<unsigned> gpus{};
    std::optional<GpuDirect> gpudirect{};
    // Bytes; no upper bound is "unlimited".
    std::optional<NumberRange> memlock{};
    std::vector<std::pair<std::string, std::string>> sysctls{};
    std::vector<std::string> modules{};
    // "leaf1:Ethernet1/4", in the order of the rails.
    PerRail<std::string> switch_ports{};
    std::optional<std::uint16_t> vlan{};
    std::vector<CounterLimit> limits{};
    std::vector<EventLimit> flaps{};
    // "gateway", or addresses to send a large packet to.
    std::vector<std::string> mtu_peers{};
    std::vector<std::string> skipped_checks{};

    bool operator==(const Expectation&) const = default;
};

}  // namespace ferrule
