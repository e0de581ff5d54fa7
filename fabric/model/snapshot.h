// All that was seen of one node at one moment. Made by fabric/read, never changed afterwards.
#pragma once

#include "fabric/model/gpu.h"
#include "fabric/model/hca.h"
#include "fabric/model/host_state.h"
#include "fabric/model/netdev.h"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace ferrule {

// A fact the node should offer and did not give. Never a verdict: unknown is not broken.
struct ReadProblem {
    // Path below the root of the tree, or the name of a kernel interface.
    std::string where{};
    int error_number{0};
    std::string what{};

    bool operator==(const ReadProblem&) const = default;
};

// A device that was not read, and what it was asked for.
struct HungDevice {
    std::string name{};
    std::string step{};
    // 0 where its reader could not be started, or ended by itself.
    unsigned waited_ms{0};
    // The reader could not even be killed: it waits inside the kernel.
    bool in_kernel{false};
    // The kernel's function in which it waited, where the kernel tells.
    std::string waits_at{};
    // The reader was at work or had no processor, as on a busy node: this says nothing of the
    // device.
    bool busy{false};

    bool operator==(const HungDevice&) const = default;
};

// A packet that may not be cut up, sent to see whether the whole way takes its size.
struct MtuProbe {
    std::string netdev{};
    IpAddress peer{};
    // Bytes of the IP packet.
    unsigned size{0};
    bool answered{false};
    // A small packet came back, so that it is the size that does not get through.
    bool small_answered{false};
    // Why it could not be sent; 0 when it was.
    int error_number{0};

    bool operator==(const MtuProbe&) const = default;
};

// A PCI function that an RDMA driver could serve.
struct RdmaFunction {
    PciAddress address{};
    std::uint16_t vendor_id{0};
    std::uint16_t device_id{0};
    // Empty where none is bound.
    std::string driver{};
    // It has an RDMA device, of this network namespace or of another.
    bool has_device{false};

    bool operator==(const RdmaFunction&) const = default;
};

// Why a node is asked for: it takes part in the job, or the step was only started from there.
enum class PeerRole { Member, Launcher };

// Another node and how this node reaches it, as far as it could be told.
struct Peer {
    std::string name{};
    std::optional<IpAddress> address{};
    PeerRole role{PeerRole::Member};
    // The kernel's own answer, where a live kernel was asked.
    std::optional<Route> route{};

    bool operator==(const Peer&) const = default;
};

struct NodeSnapshot {
    std::string hostname{};
    std::string kernel{};
    // ib_core is loaded: /sys/class/infiniband exists.
    bool rdma_class{false};
    // PCI functions of class 0x0207; counted only where rdma_class is false and everything
    // is read.
    unsigned infiniband_functions{0};
    std::vector<Hca> hcas{};
    std::vector<Netdev> netdevs{};
    std::vector<Route> routes{};
    std::vector<Gpu> gpus{};
    std::vector<Peer> peers{};
    // These are all of the job's other nodes.
    bool all_peers{true};
    // Lines of /etc/nccl.conf, in order: what NCCL takes where the environment says nothing.
    std::vector<std::pair<std::string, std::string>> nccl_conf{};
    // Bytes that a process may lock in memory, as far as the reading process itself may; absent
    // where there is no limit, or none was read.
    std::optional<std::uint64_t> memlock_limit{};
    HostState host{};
    // Physical functions of adapters that come with RDMA, whether a driver made a device or not.
    std::vector<RdmaFunction> rdma_functions{};
    std::vector<MtuProbe> mtu_probes{};
    std::vector<HungDevice> hung{};
    std::vector<ReadProblem> problems{};

    bool operator==(const NodeSnapshot&) const = default;
};

// One that has a driver of its own to ask: an adapter's, a bond, or whatever else an RDMA port
// stands on. Not the interfaces of containers and bridges, which come and go.
[[nodiscard]] bool is_fabric_interface(const NodeSnapshot& snapshot, const Netdev& netdev);

}  // namespace ferrule
