"""What healthy devices count, under their drivers' names.

`busy` is a figure that differs by device and is 0 for a port that was never up.  Error counters are 0.
"""

ERRORS = ("symbol_error", "link_error_recovery", "link_downed", "port_rcv_errors", "port_rcv_remote_physical_errors",
          "port_rcv_switch_relay_errors", "port_xmit_discards", "port_xmit_constraint_errors",
          "port_rcv_constraint_errors", "local_link_integrity_errors", "excessive_buffer_overrun_errors",
          "VL15_dropped")
SEND_WORDS, RECEIVE_WORDS, WORDS_A_PACKET = 104729, 104723, 1031


def port_counters(busy, extended=True):
    """ports/N/counters, in words of four bytes; "extended" is the set with the unicast and multicast figures."""
    sent, received = busy * SEND_WORDS, busy * RECEIVE_WORDS
    values = dict.fromkeys(ERRORS, 0)
    values |= {"port_xmit_data": sent, "port_rcv_data": received,
               "port_xmit_packets": sent // WORDS_A_PACKET, "port_rcv_packets": received // WORDS_A_PACKET,
               "port_xmit_wait": busy * 31 % 1_000_003}
    if extended:
        multicast = busy % 4099
        values |= {"unicast_xmit_packets": sent // WORDS_A_PACKET - multicast, "multicast_xmit_packets": multicast,
                   "unicast_rcv_packets": received // WORDS_A_PACKET - 2 * multicast,
                   "multicast_rcv_packets": 2 * multicast}
    return values


# --- hw_counters -----------------------------------------------------------------------------

MLX5_ERRORS = ("rx_atomic_requests", "out_of_buffer", "out_of_sequence", "duplicate_request", "rnr_nak_retry_err",
               "packet_seq_err", "implied_nak_seq_err", "local_ack_timeout_err", "resp_local_length_error",
               "resp_cqe_error", "req_cqe_error", "req_remote_invalid_request", "req_remote_access_errors",
               "resp_remote_access_errors", "roce_adp_retrans", "roce_adp_retrans_to", "roce_slow_restart",
               "roce_slow_restart_cnps", "roce_slow_restart_trans")
MLX4_NAMES = ("lle", "lqpoe", "lpe", "wrfe", "mwbe", "bre", "rire", "rae", "roe", "tree", "rree", "rnr", "oos", "to",
              "udsdprd")
BNXT_GAUGES = ("active_ahs", "active_qps", "active_srqs", "active_cqs", "active_mrs", "active_mws")
BNXT_ERRORS = ("recoverable_errors", "rx_roce_errors", "rx_roce_discards", "to_retransmits", "seq_err_naks_rcvd",
               "max_retry_exceeded", "rnr_naks_rcvd", "missing_resp", "unrecoverable_err", "bad_resp_err",
               "local_qp_op_err", "local_protection_err", "mem_mgmt_op_err", "remote_invalid_req_err",
               "remote_access_err", "remote_op_err", "dup_req", "res_exceed_max", "res_length_mismatch",
               "res_exceeds_wqe", "res_opcode_err", "res_rx_invalid_rkey", "res_rx_domain_err", "res_rx_no_perm",
               "res_rx_range_err", "res_tx_invalid_rkey", "res_tx_domain_err", "res_tx_no_perm", "res_tx_range_err",
               "res_irrq_oflow", "res_unsup_opcode", "res_unaligned_atomic", "res_rem_inv_err", "res_mem_error",
               "res_srq_err", "res_cmp_err", "res_invalid_dup_rkey", "res_wqe_format_err", "res_cq_load_err",
               "res_srq_load_err", "res_tx_pci_err", "res_rx_pci_err", "oos_drop_count")
BNXT_EXTENDED = ("tx_atomic_req", "tx_read_req", "tx_read_resp", "tx_write_req", "tx_send_req", "rx_atomic_req",
                 "rx_read_req", "rx_read_resp", "rx_write_req", "rx_send_req", "rx_out_of_buffer")
IRDMA_ERRORS = ("ip4InDiscards", "ip4InTruncatedPkts", "ip4OutNoRoutes", "ip6InDiscards", "ip6InTruncatedPkts",
                "ip6OutNoRoutes", "tcpRetransSegs", "tcpInOptErrors", "tcpInProtoErrors", "rxVlanErrors")
EFA_ERRORS = ("rx_drops", "rdma_read_wr_err", "rdma_write_wr_err", "retrans_bytes", "retrans_pkts",
              "retrans_timeout_events", "unresponsive_remote_events", "impaired_remote_conn_events")
EFA_DEVICE_ERRORS = ("cmds_err", "no_completion_cmds", "alloc_pd_err", "create_qp_err", "create_cq_err", "reg_mr_err",
                     "alloc_ucontext_err", "create_ah_err", "mmap_err")


def congestion(busy):
    """A little ECN, as on any fabric that is used."""
    marked = busy % 5003 + 40 if busy else 0
    return {"np_ecn_marked_roce_packets": marked, "np_cnp_sent": marked * 3 // 5,
            "rp_cnp_handled": busy % 3001 + 20 if busy else 0, "rp_cnp_ignored": 0}


def mlx5(busy, *, roce, physical, new):
    values = {"rx_write_requests": busy * 37 % 2**32, "rx_read_requests": busy * 3 % 2**32,
              "resp_cqe_flush_error": busy % 97, "req_cqe_flush_error": busy % 89} | dict.fromkeys(MLX5_ERRORS, 0)
    if new:
        values |= {"rx_dct_connect": 0, "req_transport_retries_exceeded": 0, "req_rnr_retries_exceeded": 0}
    if roce and physical:
        values |= {"rx_icrc_encapsulated": 0} | congestion(busy)
    return values


def bnxt(busy, *, new):
    values = dict.fromkeys(BNXT_GAUGES, busy % 13) | {"active_pds": 2} | dict.fromkeys(BNXT_ERRORS, 0)
    values |= {f"{way}_{unit}": busy * factor for way in ("rx", "tx") for unit, factor in (("pkts", 317),
                                                                                        ("bytes", 1299709))}
    values |= {name: busy * (index + 1) % 2**32 for index, name in enumerate(BNXT_EXTENDED)}
    values |= {"rx_roce_good_pkts": busy * 311, "rx_roce_good_bytes": busy * 1299001, "rx_out_of_buffer": 0}
    if new:
        marked = congestion(busy)
        values |= {"active_rc_qps": busy % 11, "active_ud_qps": 1, "resize_cq_cnt": 0, "tx_roce_errors": 0,
                   "tx_roce_discards": 0, "tx_cnp_pkts": marked["np_cnp_sent"], "rx_cnp_pkts": marked["rp_cnp_handled"],
                   "rx_ecn_marked_pkts": marked["np_ecn_marked_roce_packets"], "pacing_reschedule": 0,
                   "pacing_complete": 0, "pacing_alerts": 0, "db_fifo_register": 0}
    return values


def irdma(busy):
    values = dict.fromkeys(IRDMA_ERRORS, 0)
    values |= {f"ip{family}{way}{unit}": busy * factor if family == 4 else 0
               for family in (4, 6) for way in ("In", "Out")
               for unit, factor in (("Octets", 1299709), ("Pkts", 317), ("McastPkts", 1))}
    values |= {"iwInRdmaReads": busy * 3, "iwInRdmaSends": busy * 5, "iwInRdmaWrites": busy * 37,
               "iwOutRdmaReads": busy * 3, "iwOutRdmaSends": busy * 5, "iwOutRdmaWrites": busy * 36,
               "iwRdmaBnd": 0, "iwRdmaInv": 0}
    marked = congestion(busy)
    return values | {"cnpHandled": marked["rp_cnp_handled"], "cnpIgnored": 0, "cnpSent": marked["np_cnp_sent"],
                     "RxECNMrkd": marked["np_ecn_marked_roce_packets"], "RxUDP": busy * 317, "TxUDP": busy * 316}


def efa(busy):
    values = dict.fromkeys(EFA_ERRORS, 0)
    values |= {"tx_bytes": busy * 1299709, "tx_pkts": busy * 317, "rx_bytes": busy * 1299709, "rx_pkts": busy * 317,
               "send_bytes": busy * 4099, "send_wrs": busy * 7, "recv_bytes": busy * 4093, "recv_wrs": busy * 7}
    for name in ("rdma_read", "rdma_write"):
        values |= {f"{name}_wrs": busy * 19, f"{name}_bytes": busy * 640007}
    return values | {"rdma_read_resp_bytes": busy * 640001, "rdma_write_recv_bytes": busy * 640009}


def efa_device(busy):
    commands = busy % 900001 + 4000
    return {"submitted_cmds": commands, "completed_cmds": commands, "keep_alive_rcvd": busy % 7001 + 600000} | \
        dict.fromkeys(EFA_DEVICE_ERRORS, 0)


def ionic(busy):
    marked = congestion(busy)
    values = {f"{way}_rdma_{cast}_{unit}": busy * factor * (cast == "ucast")
              for way in ("tx", "rx") for cast in ("ucast", "mcast")
              for unit, factor in (("bytes", 1299709), ("pkts", 317))}
    return values | {"tx_rdma_cnp_pkts": marked["np_cnp_sent"], "rx_rdma_cnp_pkts": marked["rp_cnp_handled"],
                     "resp_rx_outof_buf": 0, "rx_rdma_mtu_discard_pkts": 0}


def mlx4(_busy):
    return {f"{queue}_num_{name}": 0 for queue in ("rq", "sq") for name in MLX4_NAMES} | {"num_cqovf": 0,
                                                                                        "rq_num_dup": 0}


def hfi1(busy):
    return dict.fromkeys(("RcResend", "RcTimeOut", "RcSeqNak", "PktDrop", "RcvHdrOvrN"), 0) | {"DmaWait": busy % 53}


def erdma(busy):
    return {"tx_pkts_cnt": busy * 317, "rx_pkts_cnt": busy * 313, "tx_bytes_cnt": busy * 1299709,
            "rx_bytes_cnt": busy * 1299601, "listen_failed_cnt": 0, "tx_drop_bytes_limit_cnt": 0}


def hw_counters(driver, busy, *, roce, physical, new):
    """ports/N/hw_counters; "new" is a kernel of 6.8 or later."""
    if driver == "mlx5_core":
        return mlx5(busy, roce=roce, physical=physical, new=new)
    if driver == "bnxt_en":
        return bnxt(busy, new=new)
    plain = {"ice": irdma, "efa": efa, "ionic": ionic, "mlx4_core": mlx4, "hfi1": hfi1, "erdma": erdma}
    return plain[driver](busy)


# --- statistics of ethtool -------------------------------------------------------------------

MLX5_PHYSICAL_ERRORS = (
    "rx_crc_errors_phy", "rx_symbol_err_phy", "rx_pcs_symbol_err_phy", "rx_discards_phy", "tx_discards_phy",
    "tx_errors_phy", "rx_out_of_buffer", "rx_steer_missed_packets", "dev_internal_queue_oob",
    "rx_err_lane_0_phy", "rx_err_lane_1_phy", "rx_err_lane_2_phy", "rx_err_lane_3_phy",
    "module_unplug", "module_bus_stuck", "module_high_temp", "module_bad_shorted", "rx_buffer_passed_thres_phy",
    "tx_pause_storm_warning_events", "tx_pause_storm_error_events", "rx_pci_signal_integrity",
    "tx_pci_signal_integrity", "outbound_pci_stalled_rd", "outbound_pci_stalled_wr", "outbound_pci_stalled_rd_events",
    "outbound_pci_stalled_wr_events", "outbound_pci_buffer_overflow")


def mlx5_statistics(busy, pfc, global_pause):
    """A priority's pause figures are there while PFC has it, the port's only with pause for all of it."""
    rdma = busy * SEND_WORDS * 4
    values = {"rx_packets": busy * 11, "rx_bytes": busy * 11 * 640, "tx_packets": busy * 9, "tx_bytes": busy * 9 * 610}
    values |= dict.fromkeys(MLX5_PHYSICAL_ERRORS, 0)
    values |= {"link_down_events_phy": busy % 2, "rx_corrected_bits_phy": busy * 13,
               "rx_vport_rdma_unicast_packets": rdma // 4124, "rx_vport_rdma_unicast_bytes": rdma,
               "tx_vport_rdma_unicast_packets": rdma // 4125, "tx_vport_rdma_unicast_bytes": rdma - busy,
               "rx_packets_phy": rdma // 4124 + busy * 11, "tx_packets_phy": rdma // 4125 + busy * 9,
               "rx_bytes_phy": rdma + busy * 11 * 640, "tx_bytes_phy": rdma + busy * 9 * 610,
               "rx_mac_control_phy": busy % 1009, "tx_mac_control_phy": busy % 887,
               "rx_pause_ctrl_phy": busy % 1009, "tx_pause_ctrl_phy": busy % 887}
    for priority in range(8):
        packets = {0: busy * 11, 3 if pfc else 0: busy * 107 + (0 if pfc else busy * 11), 6: busy % 3001}
        received = packets.get(priority, 0)
        values |= {f"rx_prio{priority}_bytes": received * 4124, f"rx_prio{priority}_packets": received,
                   f"rx_prio{priority}_discards": 0, f"tx_prio{priority}_bytes": received * 4120,
                   f"tx_prio{priority}_packets": received}
    for priority in pfc:
        values |= {f"rx_prio{priority}_pause": busy % 1009, f"rx_prio{priority}_pause_duration": busy % 4013,
                   f"rx_prio{priority}_pause_transition": busy % 499, f"tx_prio{priority}_pause": busy % 887,
                   f"tx_prio{priority}_pause_duration": busy % 2003}
    if global_pause:
        values |= {"rx_global_pause": busy % 13, "rx_global_pause_duration": busy % 61,
                   "tx_global_pause": busy % 17, "tx_global_pause_duration": busy % 67,
                   "rx_global_pause_transition": busy % 7}
    return values


def bnxt_statistics(busy, pfc, global_pause):
    values = {"rx_ucast_packets": busy * 11, "tx_ucast_packets": busy * 9, "rx_stat_discard": 0, "tx_stat_discard": 0,
              "rx_fcs_err_frames": 0, "rx_code_err_frames": 0, "rx_pcs_symbol_err": 0, "rx_corrected_bits": busy * 13,
              "rx_fec_corrected_blocks": busy * 3, "rx_fec_uncorrectable_blocks": 0, "link_down_events": busy % 2,
              "continuous_pause_events": 0, "resume_pause_events": 0, "continuous_roce_pause_events": 0,
              "resume_roce_pause_events": 0, "rx_buffer_passed_threshold": 0,
              "rx_pfc_frames": busy % 1009 if pfc else 0, "tx_pfc_frames": busy % 887 if pfc else 0,
              "rx_pause_frames": busy % 13 if global_pause else 0, "tx_pause_frames": busy % 17 if global_pause else 0}
    for priority in range(8):
        values |= {f"rx_pfc_ena_frames_pri{priority}": busy % 1009 if priority in pfc else 0,
                   f"tx_pfc_ena_frames_pri{priority}": busy % 887 if priority in pfc else 0,
                   f"pfc_pri{priority}_rx_duration_us": busy % 4013 if priority in pfc else 0,
                   f"pfc_pri{priority}_rx_transitions": busy % 499 if priority in pfc else 0,
                   f"pfc_pri{priority}_tx_duration_us": busy % 2003 if priority in pfc else 0,
                   f"pfc_pri{priority}_tx_transitions": busy % 251 if priority in pfc else 0,
                   f"rx_discard_packets_cos{priority}": 0, f"rx_discard_bytes_cos{priority}": 0}
    return values


def ice_statistics(busy, pfc, global_pause):
    values = {"rx_unicast": busy * 11, "tx_unicast": busy * 9, "rx_bytes.nic": busy * 7040, "tx_bytes.nic": busy * 5490,
              "rx_dropped.nic": 0, "tx_dropped_link_down.nic": 0, "rx_crc_errors.nic": 0, "illegal_bytes.nic": 0,
              "mac_local_faults.nic": busy % 2, "mac_remote_faults.nic": busy % 3}
    values |= {f"link_{state}_{way}.nic": busy % 13 if global_pause else 0
               for state in ("xon", "xoff") for way in ("rx", "tx")}
    for priority in range(8):
        for way, modulus in (("tx", 887), ("rx", 1009)):
            values |= {f"{way}_priority_{priority}_{state}.nic": busy % modulus if priority in pfc else 0
                       for state in ("xon", "xoff")}
    return values


def ionic_statistics(busy, _pfc, _global_pause):
    values = {"rx_packets": busy * 11, "tx_packets": busy * 9, "frames_rx_ok": busy * 317, "frames_tx_ok": busy * 316,
              "frames_rx_bad_fcs": 0, "frames_rx_stomped_crc": 0, "frames_rx_dropped": 0,
              "frames_rx_pause": 0, "frames_tx_pause": 0, "rx_pause_1us_count": 0,
              "frames_rx_pripause": busy % 1009, "frames_tx_pripause": busy % 887}
    for priority in range(8):
        values |= {f"rx_pripause_{priority}_1us_count": busy % 4013 if priority == 3 else 0,
                   f"tx_pripause_{priority}_1us_count": busy % 2003 if priority == 3 else 0}
    return values


def ena_statistics(busy, _pfc, _global_pause):
    values = {"tx_timeout": 0, "suspend": 0, "resume": 0, "wd_expired": 0, "interface_up": 1, "interface_down": 0}
    return values | {name: 0 for name in ("bw_in_allowance_exceeded", "bw_out_allowance_exceeded",
                                          "pps_allowance_exceeded", "conntrack_allowance_exceeded",
                                          "linklocal_allowance_exceeded")} | {
        "ena_srd_mode": 0, "ena_srd_tx_pkts": 0, "ena_srd_eligible_tx_pkts": busy % 5, "ena_srd_rx_pkts": 0}


STATISTICS = {"mlx5_core": mlx5_statistics, "bnxt_en": bnxt_statistics, "ice": ice_statistics,
              "ionic": ionic_statistics, "ena": ena_statistics}
