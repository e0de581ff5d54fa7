#!/usr/bin/env bats
# The NIC with faults to be made on it, as the standard tools see it.

load vm.bash

setup_file() {
    export out=$BATS_FILE_TMPDIR/out
    mkdir "$out"
    in_vm --limit 300 --module ferrule_dcb --out "$out" -- "$here" <<'END'
source "$1/fault.bash"
# see NAME COMMAND...: what it prints, without the space at the end of lines.
see() { "${@:2}" | sed 's/ *$//' >"$OUT/$1"; }
statistic() { ethtool -S eth1 | sed -n "s/^ *$1: //p"; }
counter() { cat "/sys/class/infiniband/rxe0/ports/1/hw_counters/$1"; }
times_down() { echo "$(</sys/class/net/eth1/carrier_down_count) $(counter link_downed)"; }
without_nic() { ! dcb pfc show dev eth1 2>&1; }

ground_up
see pfc dcb pfc show dev eth1 prio-pfc
see app dcb -N app show dev eth1
see buffer dcb buffer show dev eth1
see ets dcb ets show dev eth1
see dcbx dcb dcbx show dev eth1
see pause ethtool -a eth1
see link ip -o link show eth1

fault_pfc_priority eth1 4
see pfc.fault dcb pfc show dev eth1 prio-pfc
mend_pfc_priority eth1
fault_dscp_map eth1 26:4
see app.map dcb -N app show dev eth1
mend_dscp_map eth1
fault_trust_pcp eth1
see app.fault dcb -N app show dev eth1
mend_trust_pcp eth1
see app.mended dcb -N app show dev eth1
fault_receive_buffer eth1
see buffer.fault dcb buffer show dev eth1
mend_receive_buffer eth1
fault_ets eth1
see ets.fault dcb ets show dev eth1
mend_ets eth1
fault_firmware_dcbx eth1
see dcbx.fault dcb dcbx show dev eth1
mend_firmware_dcbx eth1

ethtool -S eth1 >"$OUT/statistics"
fault_global_pause eth1
see pause.fault ethtool -a eth1
ethtool -S eth1 >"$OUT/statistics.pause"
mend_global_pause eth1
fault_counter rx_discards_phy 7
fault_counter rx_prio3_pause 18446744073709551615
see counter.discards statistic rx_discards_phy
see counter.pause statistic rx_prio3_pause
see indications dcb -s pfc show dev eth1 indications
mend_counter rx_discards_phy
see counter.mended statistic rx_discards_phy
fault_counter no_such_statistic 1 2>"$OUT/counter.unknown" || echo "refused" >>"$OUT/counter.unknown"

fault_mtu eth1 1500
see link.fault ip -o link show eth1
mend_mtu eth1

times_down >"$OUT/flaps"
fault_flap eth1 3
times_down >>"$OUT/flaps"
fault_link_down eth1
see state.down rdma link show rxe0/1
mend_link_down eth1
fault_port_disabled eth1
see state.disabled rdma link show rxe0/1
mend_port_disabled eth1
see state.mended rdma link show rxe0/1

gid_row "$ground_address" >"$OUT/gids"
fault_gid_moved eth1
gid_row "$ground_address" >>"$OUT/gids"
mend_gid_moved eth1
gid_row "$ground_address" >>"$OUT/gids"

traffic 50
counter rcvd_seq_err >"$OUT/loss"
fault_packet_loss eth1 5 100
counter rcvd_seq_err >>"$OUT/loss"
mend_packet_loss eth1
rdma statistic show link rxe0/1 >"$OUT/loss.statistic"
ip rule show >"$OUT/rules"

for case in "good" "pfc --pfc 3,4" "no-pfc --pfc none --ttl 0" "long --ill long" "short --ill short" \
    "cut --ill cut" "endless --ill endless"; do
    read -r name options <<<"$case"
    # shellcheck disable=SC2086
    fault_lldp $options
    "$1/lldp_receive.py" eth1 20 >"$OUT/lldp.$name"
done
fault_lldp_silent
"$1/lldp_receive.py" eth1 2 >"$OUT/lldp.silent" 2>&1 || true

fault_hang 4000
ask() { date +%s%N && dcb pfc show dev eth1 >/dev/null && date +%s%N; }
hangs() { grep -qs ' (dcb) D ' /proc/[0-9]*/stat; }
ask >"$OUT/hang" &
eventually hangs
wait $!
mend_hang
ask >"$OUT/hang.mended"

rmmod ferrule_dcb
see gone without_nic
ethtool -S eth1 >"$OUT/statistics.gone"
insmod "$MODULE" netdev=eth1
ip link delete eth1
rmmod ferrule_dcb
dmesg | grep -E 'BUG|WARNING|Oops|unregister_netdevice' >"$OUT/dmesg" || true
END
}

seen() { equal "$(<"$out/$1")" "$2"; }
# The line of NAME that begins with KEY.
line() { equal "$(sed -n "s/^[ \t]*$2[ \t]*//p" "$out/$1")" "$3"; }
milliseconds() { awk 'NR == 2 { printf "%d\n", ($1 - first) / 1e6 } { first = $1 }' "$out/$1"; }

@test "PFC is on for priority 3, and for another where that is made so" {
    seen pfc 'prio-pfc 0:off 1:off 2:off 3:on 4:off 5:off 6:off 7:off'
    seen pfc.fault 'prio-pfc 0:off 1:off 2:off 3:off 4:on 5:off 6:off 7:off'
}

@test "trust is in DSCP by entries; a DSCP has one priority" {
    seen app 'dscp-prio 26:3 48:6'
    seen app.map 'dscp-prio 26:4 48:6'
    seen app.fault ''
    seen app.mended 'dscp-prio 26:3 48:6'
}

@test "buffers, classes and who is in control of them are shown as set" {
    line buffer prio-buffer '0:0 1:0 2:0 3:1 4:0 5:0 6:0 7:0'
    line buffer buffer-size '0:130944b 1:130944b 2:0b 3:0b 4:0b 5:0b 6:0b 7:0b'
    line buffer total-size '262016b'
    line buffer.fault prio-buffer '0:0 1:0 2:0 3:0 4:0 5:0 6:0 7:0'
    line ets prio-tc '0:0 1:0 2:0 3:3 4:0 5:0 6:6 7:0'
    line ets tc-bw '0:50 1:0 2:0 3:50 4:0 5:0 6:0 7:0'
    line ets.fault prio-tc '0:0 1:0 2:0 3:0 4:0 5:0 6:0 7:0'
    seen dcbx 'host cee ieee'
    seen dcbx.fault 'cee ieee'
}

@test "global pause is shown as set, and its frames have names while it is on" {
    line pause RX: 'off'
    line pause.fault RX: 'on'
    line pause.fault TX: 'on'
    run ! grep -q rx_global_pause: "$out/statistics"
    grep -q rx_global_pause: "$out/statistics.pause"
}

@test "statistics have a driver's names and the values that were set" {
    line statistics rx_crc_errors_phy: '0'
    line statistics rx_prio3_pause: '0'
    run ! grep -q rx_prio4_pause: "$out/statistics"
    seen counter.discards 7
    seen counter.pause 18446744073709551615
    seen indications 'indications 0:0 1:0 2:0 3:18446744073709551615 4:0 5:0 6:0 7:0'
    seen counter.mended 0
    [[ $(<"$out/counter.unknown") == *refused ]]
}

@test "the MTU is 9000, and 1500 where that is made so" {
    [[ $(<"$out/link") == *" mtu 9000 "* ]]
    [[ $(<"$out/link.fault") == *" mtu 1500 "* ]]
}

@test "each flap is counted by the netdev and by the device" {
    local before after
    { read -ra before && read -ra after; } <"$out/flaps"
    equal "${after[*]}" "$((before[0] + 3)) $((before[1] + 3))"
}

@test "a pulled cable and a port switched off differ, and both come back" {
    [[ $(<"$out/state.down") == *"state DOWN physical_state POLLING netdev eth1" ]]
    [[ $(<"$out/state.disabled") == *"state DOWN physical_state DISABLED netdev eth1" ]]
    [[ $(<"$out/state.mended") == *"state ACTIVE physical_state LINK_UP netdev eth1" ]]
}

@test "an address that another took the place of has its GID in another row" {
    local rows
    mapfile -t rows <"$out/gids"
    ((rows[1] > rows[0]))
    equal "${rows[2]}" "${rows[0]}"
}

@test "lost packets make the device's counters rise, and others do not" {
    local errors
    mapfile -t errors <"$out/loss"
    equal "${errors[0]}" 0
    ((errors[1] > 0))
    [[ $(<"$out/loss.statistic") == *" rcvd_seq_err ${errors[1]} "* ]]
    seen rules $'0:\tfrom all lookup local\n32766:\tfrom all lookup main\n32767:\tfrom all lookup default'
}

@test "what the switch says arrives, byte for byte" {
    # Port, time to live, name, VLAN, frame size, ETS, APP, PFC, End. Before it is the address, in two places.
    local wanted='040c0545746865726e6574312f37 06020078 0a056c65616631 fe060080c2010001 fe0600120f042400
        fe190080c209 00 00030060 3200003200000000 0200000200000000
        fe0b0080c20c 00 65001a c50030
        fe060080c20b 08 08
        0000'
    local address
    address=$(cut -c 13-24 "$out/lldp.good")
    seen lldp.good "0180c200000e${address}88cc020704$address$(tr -d ' \n' <<<"$wanted")"
    [[ $(<"$out/lldp.pfc") == *fe060080c20b08180000 ]]
    [[ $(<"$out/lldp.no-pfc") == *06020000*fe060080c20b08000000 ]]
}

@test "ill-formed frames arrive as they were sent" {
    [[ $(<"$out/lldp.long") == *ffff0080c20b08080000 ]]
    [[ $(<"$out/lldp.short") == *fe050080c20b080000 ]]
    [[ $(<"$out/lldp.cut") == *fe060080c20b08 ]]
    [[ $(<"$out/lldp.endless") == *fe060080c20b0808 ]]
    equal "$(cat "$out/lldp.silent")" 'no LLDP frame on eth1 within 2 s'
}

@test "a query hangs uninterruptibly for as long as it is to, and not longer" {
    (($(milliseconds hang) >= 4000))
    (($(milliseconds hang.mended) < 4000))
}

@test "the netdev is as it was without the module, and may go before it" {
    [[ $(<"$out/gone") == *"not supported" ]]
    grep -q peer_ifindex "$out/statistics.gone"
    seen dmesg ''
}
