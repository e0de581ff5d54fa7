#include "fabric/check/counter_table.h"

#include "fabric/base/text.h"

#include <algorithm>
#include <array>

namespace ferrule {

namespace {

using P = CounterPlace;

constexpr std::array kRows{
    // counters/: the InfiniBand view of a port.
    CounterRow{"symbol_error", P::Port, "symbol_error", 16},
    CounterRow{"link_error_recovery", P::Port, "link_recovery", 8},
    CounterRow{"link_downed", P::Port, "link_down", 8},
    CounterRow{"port_rcv_errors", P::Port, "receive_error", 16},
    CounterRow{"port_rcv_remote_physical_errors", P::Port, "remote_physical_error", 16},
    CounterRow{"port_xmit_discards", P::Port, "transmit_discard", 16},
    CounterRow{"port_xmit_constraint_errors", P::Port, "constraint_error", 8},
    CounterRow{"port_rcv_constraint_errors", P::Port, "constraint_error", 8},
    CounterRow{"local_link_integrity_errors", P::Port, "integrity_error", 4},
    CounterRow{"excessive_buffer_overrun_errors", P::Port, "buffer_overrun", 4},
    CounterRow{"VL15_dropped", P::Port, "vl15_dropped", 16},
    // hw_counters/ of mlx5.
    CounterRow{"local_ack_timeout_err", P::Hardware, "ack_timeout", 64},
    CounterRow{"packet_seq_err", P::Hardware, "sequence_error", 64},
    CounterRow{"implied_nak_seq_err", P::Hardware, "sequence_error", 64},
    CounterRow{"out_of_sequence", P::Hardware, "out_of_sequence", 64},
    CounterRow{"req_transport_retries_exceeded", P::Hardware, "retry_exceeded", 64},
    CounterRow{"roce_adp_retrans_to", P::Hardware, "hidden_retransmit", 64},
    CounterRow{"roce_slow_restart", P::Hardware, "hidden_retransmit", 64},
    CounterRow{"rx_icrc_encapsulated", P::Hardware, "icrc_error", 64},
    CounterRow{"np_ecn_marked_roce_packets", P::Hardware, "ecn_marked", 64},
    CounterRow{"np_cnp_sent", P::Hardware, "cnp_sent", 64},
    CounterRow{"rp_cnp_handled", P::Hardware, "cnp_handled", 64},
    // hw_counters/ of bnxt_re, irdma, hns, ionic and mlx4.
    CounterRow{"to_retransmits", P::Hardware, "ack_timeout", 64},
    CounterRow{"seq_err_naks_rcvd", P::Hardware, "sequence_error", 64},
    CounterRow{"oos_drop_count", P::Hardware, "out_of_sequence", 64},
    CounterRow{"max_retry_exceeded", P::Hardware, "retry_exceeded", 64},
    CounterRow{"rx_roce_discards", P::Hardware, "receive_discard", 64},
    CounterRow{"tx_roce_discards", P::Hardware, "transmit_discard", 64},
    CounterRow{"rx_ecn_marked_pkts", P::Hardware, "ecn_marked", 64},
    CounterRow{"tx_cnp_pkts", P::Hardware, "cnp_sent", 64},
    CounterRow{"rx_cnp_pkts", P::Hardware, "cnp_handled", 64},
    CounterRow{"tcpRetransSegs", P::Hardware, "sequence_error", 64},
    CounterRow{"ip4InDiscards", P::Hardware, "receive_discard", 64},
    CounterRow{"RxECNMrkd", P::Hardware, "ecn_marked", 64},
    CounterRow{"cnpSent", P::Hardware, "cnp_sent", 64},
    CounterRow{"cnpHandled", P::Hardware, "cnp_handled", 64},
    CounterRow{"rx_rdma_mtu_discard_pkts", P::Hardware, "receive_discard", 64},
    CounterRow{"sq_num_to", P::Hardware, "ack_timeout", 64},
    CounterRow{"rq_num_oos", P::Hardware, "out_of_sequence", 64},
    CounterRow{"RcTimeOut", P::Hardware, "ack_timeout", 64},
    CounterRow{"RcSeqNak", P::Hardware, "sequence_error", 64},
    // hw_counters/ of rdma_rxe.
    CounterRow{"rcvd_seq_err", P::Hardware, "sequence_error", 64},
    CounterRow{"out_of_seq_request", P::Hardware, "out_of_sequence", 64},
    CounterRow{"retry_exceeded_err", P::Hardware, "retry_exceeded", 64},
    CounterRow{"completer_retry_err", P::Hardware, "ack_timeout", 64},
    CounterRow{"link_downed", P::Hardware, "link_down", 64},
    // hw_counters/ of EFA.
    CounterRow{"rx_drops", P::Hardware, "efa_drop", 64},
    CounterRow{"retrans_timeout_events", P::Hardware, "ack_timeout", 64},
    CounterRow{"unresponsive_remote_events", P::Hardware, "retry_exceeded", 64},
    CounterRow{"impaired_remote_conn_events", P::Hardware, "hidden_retransmit", 64},
    CounterRow{"rdma_read_wr_err", P::Hardware, "work_error", 64},
    CounterRow{"rdma_write_wr_err", P::Hardware, "work_error", 64},
    CounterRow{"cmds_err", P::Hardware, "command_error", 64},
    CounterRow{"no_completion_cmds", P::Hardware, "command_error", 64},
    // Ethernet statistics of mlx5.
    CounterRow{"rx_discards_phy", P::Statistics, "receive_discard", 64},
    CounterRow{"rx_prio#_discards", P::Statistics, "priority_discard", 64},
    CounterRow{"rx_prio#_buf_discard", P::Statistics, "priority_discard", 64},
    CounterRow{"rx_prio#_cong_discard", P::Statistics, "priority_discard", 64},
    CounterRow{"tx_discards_phy", P::Statistics, "transmit_discard", 64},
    CounterRow{"rx_crc_errors_phy", P::Statistics, "crc_error", 64},
    CounterRow{"rx_symbol_err_phy", P::Statistics, "crc_error", 64},
    CounterRow{"link_down_events_phy", P::Statistics, "link_down", 64},
    CounterRow{"rx_prio#_pause_duration", P::Statistics, "paused", 64},
    CounterRow{"pfc_pri#_rx_duration_us", P::Statistics, "paused", 64},
    CounterRow{"tx_pause_storm_warning_events", P::Statistics, "pause_storm_warning", 64},
    CounterRow{"tx_pause_storm_error_events", P::Statistics, "pause_storm", 64},
    CounterRow{"rx_pci_signal_integrity", P::Statistics, "pcie_signal", 64},
    CounterRow{"tx_pci_signal_integrity", P::Statistics, "pcie_signal", 64},
    CounterRow{"outbound_pci_buffer_overflow", P::Statistics, "pcie_overflow", 64},
    CounterRow{"module_bus_stuck", P::Statistics, "module_event", 64},
    CounterRow{"module_high_temp", P::Statistics, "module_event", 64},
    CounterRow{"module_bad_shorted", P::Statistics, "module_event", 64},
    CounterRow{"module_unplug", P::Statistics, "module_event", 64},
    // bnxt_en.
    CounterRow{"rx_discard_packets_cos#", P::Statistics, "priority_discard", 64},
    CounterRow{"rx_stat_discard", P::Statistics, "receive_discard", 64},
    CounterRow{"tx_stat_discard", P::Statistics, "transmit_discard", 64},
    CounterRow{"rx_fcs_err_frames", P::Statistics, "crc_error", 64},
    CounterRow{"rx_fec_uncorrectable_blocks", P::Statistics, "fec_uncorrectable", 64},
    CounterRow{"link_down_events", P::Statistics, "link_down", 64},
    CounterRow{"continuous_roce_pause_events", P::Statistics, "pause_storm", 64},
    CounterRow{"continuous_pause_events", P::Statistics, "pause_storm_warning", 64},
    // ice, i40e, hns3, mlx4, ionic.
    CounterRow{"rx_dropped.nic", P::Statistics, "receive_discard", 64},
    CounterRow{"rx_crc_errors.nic", P::Statistics, "crc_error", 64},
    CounterRow{"port.rx_discards", P::Statistics, "receive_discard", 64},
    CounterRow{"port.rx_crc_errors", P::Statistics, "crc_error", 64},
    CounterRow{"mac_rx_fcs_err_pkt_num", P::Statistics, "crc_error", 64},
    CounterRow{"rx_crc_errors", P::Statistics, "crc_error", 64},
    CounterRow{"rx_fifo_errors", P::Statistics, "receive_discard", 64},
    CounterRow{"frames_rx_dropped", P::Statistics, "receive_discard", 64},
    CounterRow{"frames_rx_bad_fcs", P::Statistics, "crc_error", 64},
    // Not of a driver: the interface, its error correction, advanced error reporting.
    CounterRow{"carrier_down_count", P::Statistics, "link_down", 64},
    CounterRow{"fec uncorrectable", P::Statistics, "fec_uncorrectable", 64},
    CounterRow{"correctable", P::Pci, "pcie_correctable", 64},
    CounterRow{"nonfatal", P::Pci, "pcie_nonfatal", 64},
    CounterRow{"fatal", P::Pci, "pcie_error", 64},
};

constexpr auto kCable = "clean and reseat the connectors, then swap the cable, then the port";
constexpr auto kLossless =
    "look at PFC, trust and buffers of this port and of its switch port; then at who sends more "
    "than the port can take";
constexpr auto kPath =
    "probe the pair; a lost packet has a switch, a cable or a full buffer on "
    "its way";
constexpr auto kSlot =
    "look at the slot, the riser and the firmware; a cold boot retrains the link";
constexpr std::uint64_t kHour = 3600;
constexpr std::uint64_t kMinute = 60;
constexpr Severity kCritical = Severity::Critical;
constexpr Severity kWarning = Severity::Warning;

constexpr std::array kMeanings{
    CounterMeaning{"symbol_error", "link-errors", {120, kHour}, kCritical, "symbol errors", kCable},
    CounterMeaning{
        "link_recovery", "link-errors", {5, kMinute}, kCritical, "link recoveries", kCable},
    CounterMeaning{
        "receive_error", "link-errors", {600, kMinute}, kCritical, "packets with errors", kCable},
    CounterMeaning{"remote_physical_error",
                   "link-errors",
                   {6000, kMinute},
                   kWarning,
                   "packets marked bad by another link",
                   "look for the bad link upstream with a sweep"},
    CounterMeaning{
        "integrity_error", "link-errors", {0, kHour}, kCritical, "link integrity errors", kCable},
    CounterMeaning{
        "buffer_overrun", "link-errors", {0, kHour}, kCritical, "buffer overruns", kCable},
    CounterMeaning{"constraint_error",
                   "link-errors",
                   {100, kHour},
                   kWarning,
                   "packets of a foreign partition",
                   "compare the P_Keys of both ends"},
    CounterMeaning{"vl15_dropped",
                   "link-errors",
                   {100, kHour},
                   kWarning,
                   "dropped management packets",
                   "look at the subnet manager's log"},
    CounterMeaning{
        "ack_timeout", "packet-loss", {60, kMinute}, kWarning, "acknowledgement timeouts", kPath},
    CounterMeaning{"sequence_error",
                   "packet-loss",
                   {60, kMinute},
                   kWarning,
                   "packets that a peer missed",
                   kPath},
    CounterMeaning{
        "retry_exceeded", "packet-loss", {0, kHour}, kWarning, "connections given up", kPath},
    CounterMeaning{"transmit_discard",
                   "packet-loss",
                   {600, kMinute},
                   kWarning,
                   "packets dropped on the way out",
                   kLossless},
    CounterMeaning{"receive_discard",
                   "packet-loss",
                   {600, kMinute},
                   kWarning,
                   "packets dropped for lack of buffer",
                   kLossless},
    CounterMeaning{"priority_discard",
                   "packet-loss",
                   {0, kHour},
                   kCritical,
                   "packets of a lossless priority dropped",
                   kLossless},
    CounterMeaning{"efa_drop",
                   "packet-loss",
                   {600, kMinute},
                   kWarning,
                   "packets dropped",
                   "stop and start the instance; it then runs on other hardware"},
    CounterMeaning{
        "work_error", "packet-loss", {60, kMinute}, kWarning, "failed RDMA requests", kPath},
    CounterMeaning{"command_error",
                   "packet-loss",
                   {10, kHour},
                   kWarning,
                   "failed device commands",
                   "look at the kernel's log for the device"},
    CounterMeaning{"icrc_error",
                   "corruption",
                   {0, kHour},
                   kWarning,
                   "packets corrupted inside the network",
                   "look for a switch or a NIC that alters packets"},
    CounterMeaning{
        "crc_error", "corruption", {60, kHour}, kCritical, "frames with a bad check sum", kCable},
    CounterMeaning{"fec_uncorrectable",
                   "corruption",
                   {10, kHour},
                   kCritical,
                   "blocks beyond error correction",
                   kCable},
    CounterMeaning{"module_event",
                   "corruption",
                   {0, kHour},
                   kWarning,
                   "complaints of the module",
                   "look at the module's temperature and seat"},
    CounterMeaning{"pause_storm",
                   "pause-storm",
                   {0, kHour},
                   kCritical,
                   "pause storms that the NIC ended by dropping",
                   "the host is the slow receiver: look at PCIe, IOMMU and memory"},
    CounterMeaning{"pause_storm_warning",
                   "pause-storm",
                   {10, kHour},
                   kWarning,
                   "pause storms",
                   "the host is the slow receiver: look at PCIe, IOMMU and memory"},
    CounterMeaning{"paused",
                   "pause-storm",
                   {30000000, kMinute},
                   kWarning,
                   "microseconds of pause asked for by the switch",
                   "the fabric is congested: look at who sends to whom, and at ECN"},
    CounterMeaning{"pcie_error", "pcie-errors", {0, kHour}, kCritical, "fatal PCIe errors", kSlot},
    CounterMeaning{"pcie_nonfatal",
                   "pcie-errors",
                   {2, kHour},
                   kWarning,
                   "PCIe errors that were not fatal",
                   kSlot},
    CounterMeaning{
        "pcie_correctable", "pcie-errors", {100, kHour}, kWarning, "corrected PCIe errors", kSlot},
    CounterMeaning{
        "pcie_signal", "pcie-errors", {100, kHour}, kWarning, "PCIe signal errors", kSlot},
    CounterMeaning{"pcie_overflow",
                   "pcie-errors",
                   {600, kMinute},
                   kWarning,
                   "packets dropped for lack of PCIe credits",
                   kSlot},
    CounterMeaning{
        "link_down", "link-flaps", {1, 300}, kCritical, "times the link went down", kCable},
    // No check of their own: they move in a working fabric.
    CounterMeaning{"out_of_sequence", "", {0, 0}, kWarning, "packets out of order", ""},
    CounterMeaning{"hidden_retransmit", "", {0, 0}, kWarning, "retransmissions by the NIC", ""},
    CounterMeaning{"ecn_marked", "ecn", {0, 0}, kWarning, "packets marked by a switch", ""},
    CounterMeaning{"cnp_sent", "ecn", {0, 0}, kWarning, "congestion notifications sent", ""},
    CounterMeaning{"cnp_handled", "ecn", {0, 0}, kWarning, "congestion notifications obeyed", ""},
};

// The digit that stands at '#'; nothing when the names differ elsewhere.
std::optional<unsigned> digit_of(std::string_view pattern, std::string_view name) {
    const std::size_t at = pattern.find('#');
    const bool fits = pattern.size() == name.size() && name[at] >= '0' && name[at] <= '7' &&
                      name.substr(0, at) == pattern.substr(0, at) &&
                      name.substr(at + 1) == pattern.substr(at + 1);
    return fits ? std::optional{static_cast<unsigned>(name[at] - '0')} : std::nullopt;
}

}  // namespace

FoundCounter find_counter(CounterPlace place, std::string_view name) {
    for (const CounterRow& row : kRows) {
        if (row.place != place) {
            continue;
        }
        if (row.name == name) {
            return {&row, {}};
        }
        if (row.name.find('#') != std::string_view::npos) {
            if (const auto priority = digit_of(row.name, name)) {
                return {&row, priority};
            }
        }
    }
    return {};
}

std::span<const CounterRow> counter_rows() {
    return kRows;
}

std::span<const CounterMeaning> counter_meanings() {
    return kMeanings;
}

const CounterMeaning* find_meaning(std::string_view name) {
    const auto* const found = std::ranges::find(kMeanings, name, &CounterMeaning::name);
    return found == kMeanings.end() ? nullptr : found;
}

std::optional<std::uint64_t> sticks_at(const CounterRow& row) {
    constexpr unsigned kWidest = 32;
    return row.bits <= kWidest ? std::optional{(std::uint64_t{1} << row.bits) - 1} : std::nullopt;
}

}  // namespace ferrule
