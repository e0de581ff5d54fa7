// Every check, one file each: the rows of check_table.cc name them.
#pragma once

#include "fabric/check/check.h"

namespace ferrule {

void check_device_hung(const CheckInput& input, Findings& findings);
void check_kernel_modules(const CheckInput& input, Findings& findings);
void check_device_missing(const CheckInput& input, Findings& findings);
void check_device_count(const CheckInput& input, Findings& findings);
void check_gpu_count(const CheckInput& input, Findings& findings);
void check_device_open(const CheckInput& input, Findings& findings);
void check_guid_duplicate(const CheckInput& input, Findings& findings);
void check_rails(const CheckInput& input, Findings& findings);
void check_port_state(const CheckInput& input, Findings& findings);
void check_link_layer(const CheckInput& input, Findings& findings);
void check_link_rate(const CheckInput& input, Findings& findings);
void check_link_width(const CheckInput& input, Findings& findings);
void check_fec(const CheckInput& input, Findings& findings);
void check_link_flaps(const CheckInput& input, Findings& findings);
void check_link_errors(const CheckInput& input, Findings& findings);
void check_packet_loss(const CheckInput& input, Findings& findings);
void check_corruption(const CheckInput& input, Findings& findings);
void check_pause_storm(const CheckInput& input, Findings& findings);
void check_counter_saturated(const CheckInput& input, Findings& findings);
void check_netdev(const CheckInput& input, Findings& findings);
void check_bond_members(const CheckInput& input, Findings& findings);
void check_virtual_function(const CheckInput& input, Findings& findings);
void check_netdev_mtu(const CheckInput& input, Findings& findings);
void check_active_mtu(const CheckInput& input, Findings& findings);
void check_mtu_path(const CheckInput& input, Findings& findings);
void check_pfc(const CheckInput& input, Findings& findings);
void check_global_pause(const CheckInput& input, Findings& findings);
void check_trust(const CheckInput& input, Findings& findings);
void check_dscp_map(const CheckInput& input, Findings& findings);
void check_ets(const CheckInput& input, Findings& findings);
void check_receive_buffer(const CheckInput& input, Findings& findings);
void check_dcbx(const CheckInput& input, Findings& findings);
void check_ecn(const CheckInput& input, Findings& findings);
void check_switch_pfc(const CheckInput& input, Findings& findings);
void check_switch_mtu(const CheckInput& input, Findings& findings);
void check_switch_port(const CheckInput& input, Findings& findings);
void check_roce_mode(const CheckInput& input, Findings& findings);
void check_gid(const CheckInput& input, Findings& findings);
void check_gid_netdev(const CheckInput& input, Findings& findings);
void check_gid_moved(const CheckInput& input, Findings& findings);
void check_gid_duplicate(const CheckInput& input, Findings& findings);
void check_shared_subnet(const CheckInput& input, Findings& findings);
void check_pkey(const CheckInput& input, Findings& findings);
void check_sm(const CheckInput& input, Findings& findings);
void check_sm_changed(const CheckInput& input, Findings& findings);
void check_firmware(const CheckInput& input, Findings& findings);
void check_driver(const CheckInput& input, Findings& findings);
void check_board(const CheckInput& input, Findings& findings);
void check_pcie_link(const CheckInput& input, Findings& findings);
void check_pcie_errors(const CheckInput& input, Findings& findings);
void check_acs(const CheckInput& input, Findings& findings);
void check_relaxed_ordering(const CheckInput& input, Findings& findings);
void check_read_request(const CheckInput& input, Findings& findings);
void check_gpudirect(const CheckInput& input, Findings& findings);
void check_memlock(const CheckInput& input, Findings& findings);
void check_sysctl(const CheckInput& input, Findings& findings);

}  // namespace ferrule
