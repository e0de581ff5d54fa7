#include "fabric/check/checks.h"

#include <array>

namespace ferrule {

namespace {

constexpr Severity kCritical = Severity::Critical;
constexpr Severity kWarning = Severity::Warning;
constexpr std::string_view kAll = "IB, RoCE, EFA";
constexpr std::string_view kWires = "IB, RoCE";
constexpr std::string_view kRoce = "RoCE";
constexpr std::string_view kIb = "IB";

constexpr std::array kChecks{
    Check{
        "device-hung", kAll, kCritical, "Does every device answer in time?", "",
        "Each device is read by a process of its own with a deadline. One that does not answer is "
        "the finding; all others are reported as usual.",
        check_device_hung},
    Check{"kernel-modules", kAll, kCritical, "Is the RDMA stack loaded?", "modules",
          "Without the module an adapter is only a network card, and jobs silently run over TCP. "
          "Asked where adapters are on PCI and there is no RDMA class at all, and for the modules "
          "that the profile names.",
          check_kernel_modules},
    Check{
        "device-missing", kAll, kCritical, "Is every adapter there?", "rails",
        "A card that died, was renamed, or has a firmware too old for its driver. Without rails in "
        "the profile: does every RDMA adapter on PCI have its RDMA device? Functions that were "
        "given to a guest (vfio-pci) are left alone.",
        check_device_missing},
    Check{"device-count", kAll, kCritical, "Are there as many RDMA devices as there should be?",
          "hcas, efa_devices",
          "Without a profile, on Amazon's instances, the count of their type; an instance that was "
          "started with fewer interfaces is a warning.",
          check_device_count},
    Check{"gpu-count", kAll, kCritical, "Are there as many GPUs as there should be?", "gpus",
          "Rails are chosen for GPUs: with one missing, the neighbours get its rail.",
          check_gpu_count},
    Check{"device-open", kAll, kCritical, "Can every rail's device be opened?", "",
          "A device that is listed and cannot be opened hangs the first job that takes it. Opened "
          "through verbs where the program may; else the device file has to be there.",
          check_device_open},
    Check{"guid-duplicate", kAll, kCritical, "Has every device a GUID of its own?", "",
          "A subnet manager that meets one GUID twice configures neither. Of InfiniBand devices "
          "only.",
          check_guid_duplicate},
    Check{
        "rails", kAll, kCritical, "Is every rail of the last good run still one?", "rails, unused",
        "Without rails in the profile they are worked out from the node, and one that lost its "
        "link would be judged no more. One that is still ACTIVE but can be no rail is a warning; a "
        "node none of whose ports can be one is unknown.",
        check_rails},
    Check{"port-state", kAll, kCritical, "Is every rail ACTIVE?", "rails, unused",
          "DOWN/Polling is a cable, DOWN/Disabled somebody's decision, INIT and ARMED a subnet "
          "manager. Without rails in the profile the rails are worked out from the node, and ports "
          "of the same board, function and place that are not ACTIVE are held for rails with a "
          "fault. With the state comes how long it lasts, and the driver's reason.",
          check_port_state},
    Check{"link-layer", kWires, kCritical, "Has every rail the right link layer?", "link_layer",
          "A port of a VPI card that came up as Ethernet. Without a profile: as most rails.",
          check_link_layer},
    Check{
        "link-rate", kWires, kCritical, "Does every rail run at its rate?", "rate",
        "A link at half its rate halves every collective. Of an ACTIVE port only; a rate that the "
        "kernel does not know is unknown. Without a profile: as most rails.",
        check_link_rate},
    Check{"link-width", kWires, kCritical, "Has every link all its lanes?", "width",
          "One dead lane takes half the width or more. Without a profile: as most rails.",
          check_link_width},
    Check{
        "fec", kRoce, kCritical, "Does the link correct errors as it should?", "fec",
        "Ends that disagree do not link; the wrong mode lets errors through. Without a profile: a "
        "warning for a rail unlike most.",
        check_fec},
    Check{
        "link-flaps", kAll, kCritical, "Does every link hold?", "flaps",
        "Two flaps within five minutes or three within twelve hours; one heals by itself. Counted "
        "by the port, the driver or the interface, whichever saw most.",
        check_link_flaps},
    Check{"link-errors", kWires, kCritical, "Are the link's errors few?", "limits",
          "Symbol errors, recoveries, receive errors, overruns: a cable or a connector. As growth "
          "since the last runs, never since the boot.",
          check_link_errors},
    Check{"packet-loss", kAll, kCritical, "Is nothing lost?", "limits, pfc",
          "Acknowledgement timeouts, sequence errors, discards for lack of buffer. A priority "
          "without PFC may drop; drops on a lossy fabric are a warning.",
          check_packet_loss},
    Check{"corruption", kWires, kCritical, "Does every packet arrive as it was sent?", "limits",
          "Bad check sums, blocks beyond error correction, ICRC errors inside the network, and "
          "complaints of the module.",
          check_corruption},
    Check{"pause-storm", kRoce, kCritical, "Does the host keep up?", "limits",
          "A NIC that pauses the network for too long stops doing so, and drops. The host is slow, "
          "not the fabric.",
          check_pause_storm},
    Check{
        "counter-saturated", kWires, kWarning, "Can every counter still grow?", "",
        "Counters of 4, 8 and 16 bits stick at their maximum, after which nothing shows any more. "
        "Never a failure.",
        check_counter_saturated},
    Check{"netdev", kWires, kCritical, "Is every rail's interface there and up?", "",
          "RoCE needs it. IPoIB may be down while RDMA works; a missing one is a warning.",
          check_netdev},
    Check{
        "bond-members", kRoce, kCritical, "Is every member of a rail's bond up?", "",
        "The bond and its RDMA device stay ACTIVE without it, at half the bandwidth. A spare of an "
        "active-backup bond is a warning.",
        check_bond_members},
    Check{"virtual-function", kWires, kCritical, "Does a virtual function follow its port?", "",
          "It may be ACTIVE while the physical port is down.", check_virtual_function},
    Check{"netdev-mtu", kRoce, kCritical, "Has every rail's interface its MTU?", "mtu",
          "One low MTU makes one rail slow, and a pair of unlike ones hangs. Without a profile: as "
          "most rails.",
          check_netdev_mtu},
    Check{"active-mtu", kWires, kCritical, "Do RDMA packets have their size?", "active_mtu",
          "As verbs says, or worked out from the interface. Without a profile: as most rails.",
          check_active_mtu},
    Check{"mtu-path", kRoce, kCritical, "Does a large packet reach a peer whole?", "mtu_peers, mtu",
          "A packet of the interface's MTU that may not be cut up, to the gateway or named peers. "
          "The size is to blame only where a small packet comes back.",
          check_mtu_path},
    Check{"pfc", kRoce, kCritical, "Are the right priorities paused (PFC)?", "pfc",
          "Without PFC, or with another priority than the switch's, RoCE drops under load and is "
          "slower than TCP. Without a profile: as most rails.",
          check_pfc},
    Check{"global-pause", kRoce, kCritical, "Is global pause off where PFC is meant?",
          "global_pause, pfc",
          "They exclude each other: with global pause one slow flow stops all of them.",
          check_global_pause},
    Check{
        "trust", kRoce, kCritical, "Does the port trust what packets are marked with?", "trust",
        "RoCE v2 is marked by DSCP; a port that trusts the VLAN tag puts it in priority 0. Without "
        "a profile: as most rails.",
        check_trust},
    Check{"dscp-map", kRoce, kCritical, "Does the DSCP lead to its priority?",
          "dscp_map, dscp, pfc",
          "Packets in another priority are not lossless. Without a map, the profile's dscp has to "
          "lead to its one PFC priority.",
          check_dscp_map},
    Check{"ets", kRoce, kCritical, "Is bandwidth shared as it should be (ETS)?", "ets",
          "Only what the profile says.", check_ets},
    Check{"receive-buffer", kRoce, kCritical, "Has a lossless priority its buffer?",
          "pfc_buffer, pfc",
          "Too small a buffer overflows before a pause takes effect. Without a profile: as most "
          "rails.",
          check_receive_buffer},
    Check{
        "dcbx", kRoce, kCritical, "Who sets PFC and ETS?", "dcbx",
        "A firmware that negotiates with the switch changes both, minutes after the boot. Without "
        "a profile: a warning for a rail unlike most.",
        check_dcbx},
    Check{"ecn", kRoce, kCritical, "Is ECN on, and does it work?", "ecn",
          "The bits where the driver shows them, without a profile for every PFC priority; else "
          "marked packets that nobody answers are a "
          "warning.",
          check_ecn},
    Check{"switch-pfc", kRoce, kCritical, "Does the switch port pause the same priorities?", "pfc",
          "As the switch says in LLDP. A silent switch is not applicable, and unknown where other "
          "rails heard theirs.",
          check_switch_pfc},
    Check{"switch-mtu", kRoce, kCritical, "Does the switch port take the host's frames?", "",
          "As the switch says in LLDP.", check_switch_mtu},
    Check{"switch-port", kRoce, kCritical, "Does the cable lead where it should?",
          "switch_ports, vlan", "Two swapped cables put rails on the wrong switches.",
          check_switch_port},
    Check{"roce-mode", kRoce, kCritical, "Does rdma_cm take RoCE version 2?",
          "rdma_cm_roce_version, rdma_cm_tos",
          "Only where rdma_cm's folder in configfs is there already: looking makes none. Without a "
          "profile version 1 is a warning.",
          check_roce_mode},
    Check{"gid", kRoce, kCritical, "Has every rail an address to send from?",
          "gid_family, roce_version, gid_subnet, rail_subnets, gid_index",
          "A routable GID of the right version, family and subnet; without one, "
          "\"ibv_modify_qp failed\".",
          check_gid},
    Check{"gid-netdev", kRoce, kCritical, "Is the address that of the rail itself?", "",
          "A row of the table may belong to another physical interface.", check_gid_netdev},
    Check{
        "gid-moved", kRoce, kWarning, "Is the address in the row where it was?", "",
        "A link that flapped, or an address set again, moves rows; jobs that pin a row then fail. "
        "Said once.",
        check_gid_moved},
    Check{"gid-duplicate", kRoce, kCritical, "Has every rail addresses of its own?", "",
          "The same address on two rails: half of the packets go astray.", check_gid_duplicate},
    Check{"shared-subnet", kRoce, kWarning, "Does each rail answer for itself?", "",
          "Rails in one subnet answer each other's ARP requests unless arp_ignore and arp_announce "
          "are set; packets then take another rail than was meant.",
          check_shared_subnet},
    Check{"pkey", kIb, kCritical, "Is every rail in its partition?", "pkey, pkey_index",
          "Two limited members of a partition do not reach each other. Without a profile: a full "
          "membership of any partition.",
          check_pkey},
    Check{"sm", kIb, kCritical, "Has a subnet manager configured every rail?", "sm_lid",
          "LID and the manager's LID of ACTIVE ports; another manager than the profile's is a "
          "warning.",
          check_sm},
    Check{"sm-changed", kIb, kWarning, "Is the subnet manager where it was?", "",
          "A standby that took over. Said once.", check_sm_changed},
    Check{"firmware", kAll, kCritical, "Has every rail's adapter its firmware?", "firmware",
          "Unlike versions behave unlike under load. Without a profile: a warning for one unlike "
          "most.",
          check_firmware},
    Check{"driver", kAll, kCritical, "Has every rail its driver?", "driver, driver_version",
          "A driver of the kernel's own has the kernel's version. Without a profile: a warning for "
          "one unlike most.",
          check_driver},
    Check{"board", kAll, kCritical, "Is every rail's adapter of the right model?", "board",
          "Without a profile: a warning for one unlike most.", check_board},
    Check{"pcie-link", kAll, kCritical, "Has every adapter its PCIe bandwidth?",
          "pcie_speed, pcie_width",
          "Half the lanes are half the bandwidth. Each link on the way to the root port is held "
          "against what both its ends can do; a switch's port that slows down while idle is no "
          "fault.",
          check_pcie_link},
    Check{"pcie-errors", kAll, kCritical, "Is PCIe free of errors?", "limits",
          "Growth of advanced error reporting and of the adapter's own counters.",
          check_pcie_errors},
    Check{
        "acs", kAll, kCritical, "Do GPU and adapter talk through their switch?", "acs",
        "Access control sends their traffic through the root complex, at about half the bandwidth. "
        "Without a profile: a warning beside GPUs.",
        check_acs},
    Check{"relaxed-ordering", kAll, kCritical, "Is relaxed ordering as it should be?",
          "relaxed_ordering", "Only what the profile says.", check_relaxed_ordering},
    Check{"read-request", kAll, kCritical, "Are PCIe read requests large enough?", "read_request",
          "Only what the profile says.", check_read_request},
    Check{"gpudirect", kAll, kCritical, "Can adapters reach GPU memory?", "gpudirect",
          "Without peer memory every byte goes through the host's memory. dma-buf needs no module "
          "and does not show.",
          check_gpudirect},
    Check{"memlock", kAll, kCritical, "May processes lock enough memory?", "memlock",
          "Of this process, which slurmd started. Without a profile: a warning below 64 MiB.",
          check_memlock},
    Check{"sysctl", kAll, kCritical, "Are the kernel's network settings as they should be?",
          "sysctls", "Only what the profile says.", check_sysctl},
};

}  // namespace

std::span<const Check> all_checks() {
    return kChecks;
}

}  // namespace ferrule
