#!/usr/bin/env bats
# ferrule-healthcheck on a live node: well when it is, and each fault found where it was made, with what
# is and what should be; and well again when it is mended.

load vm.bash

setup_file() {
    export out=$BATS_FILE_TMPDIR/out
    mkdir "$out"
    in_vm --limit 500 --module ferrule_dcb --out "$out" -- "$here" "$FERRULE_HEALTHCHECK" <<'END'
source "$1/fault.bash"
program=$2
# Windows of two seconds, so that what was counted is forgotten soon; "usual" has those that all have.
cat >/run/vm.conf <<'CONF'
[profile usual]
rails = rxe0
mtu = 9000
active_mtu = 4096
pfc = 3
trust = dscp
dscp_map = 26:3, 48:6
ets = 0:ets:50, 3:ets:50, 6:strict
pfc_buffer = 100000+
dcbx = host
fec = RS
global_pause = off
memlock = unlimited
switch_ports = leaf1:Ethernet1/7
vlan = 1

[profile way]
rails = rxe7
mtu_peers = 192.168.107.2

[profile vm]
inherit = usual
nodes = vm
flaps = 2/2s
limits = receive_discard:0/2s, priority_discard:0/2s, crc_error:0/2s, pause_storm:0/2s,
    ack_timeout:0/2s, sequence_error:0/2s
CONF
ulimit -l unlimited
# On a busy host a healthy device may be slow.
state=/run/state config=/run/vm.conf patience=10

health() { "$program" --config "$config" --state-dir "$state" --device-timeout "$patience" --timeout 30 "$@"; }

# check NAME OPTION...: NAME.json and NAME.status, with the exit status and the milliseconds. The pipe ends
# when nobody has it open any more.
check() {
    local status=0 begin=${EPOCHREALTIME/./}
    health --json "${@:2}" 2>"$OUT/$1.log" | cat >"$OUT/$1.json" || status=$?
    echo "$status $(((${EPOCHREALTIME/./} - begin) / 1000))" >"$OUT/$1.status"
}
# Nothing is remembered of the runs before.
afresh() { state=/run/state-$((++states)); }
states=0

# with FAULT ARG...: FAULT.json of the node with it, and FAULT.mended.json of the node without.
with() {
    afresh
    "fault_$1" "${@:2}"
    check "$1"
    "mend_$1" "${@:2:1}"
    check "$1.mended"
}

ground_up
check first
check healthy

with pfc_priority eth1 4
dcb pfc set dev eth1 prio-pfc all:off
check pfc_off
mend_pfc_priority eth1
with trust_pcp eth1
with dscp_map eth1 26:4
with ets eth1
with receive_buffer eth1
with firmware_dcbx eth1
with global_pause eth1
with mtu eth1 1500
with link_down eth1
with port_disabled eth1

afresh
check gid_before
fault_gid_moved eth1
check gid_moved
check gid_moved.again
mend_gid_moved eth1
check gid_moved.back
check gid_moved.mended

# What the switch says, as it is first heard.
afresh
lldp() { check "lldp_$1" --lldp 4; }
lldp well
fault_lldp --pfc 3,4
lldp pfc
fault_lldp --mfs 1518
lldp mtu
fault_lldp --port-id Ethernet1/8
lldp port
fault_lldp --pvid 7
lldp vlan
for how in cut long short endless; do
    fault_lldp --ill "$how"
    lldp "$how"
done
fault_lldp --ttl 0
lldp gone
fault_lldp_silent
check lldp_silent --lldp 1
mend_lldp
lldp mended

# The way to a peer, which is in a network namespace of its own.
ip link add eth7 type veth peer name far7
unshare -n sleep 300 &
far=$!
is_apart() { [[ $(readlink "/proc/$1/ns/net") != "$(readlink /proc/self/ns/net)" ]]; }
eventually is_apart "$far"
ip link set far7 netns "$far"
at_peer() { nsenter --net="/proc/$far/ns/net" "$@"; }
at_peer ip address add 192.168.107.2/24 dev far7
at_peer ip link set far7 mtu 9000 up
netdev eth7 192.168.107.1/24 9000
soft_roce rxe7 eth7
way() { check "way_$1" --profile way --only mtu-path; }
way whole
at_peer ip link set far7 mtu 1500
way small
at_peer ip link set far7 down
way dead
at_peer ip link set far7 mtu 9000 up
eventually grep -qx up /sys/class/net/eth7/operstate
way mended
rdma link delete rxe7
kill "$far"
# The far end goes with its namespace, and this one with it.
eventually test ! -e /sys/class/net/eth7

# Counters count from the run before, and for two seconds.
counted() {
    check "$1"
    sleep 2
    check "$1.mended"
}
afresh
check counters_before
fault_packet_loss eth1 5 100
counted packet_loss
mend_packet_loss eth1
fault_counter rx_discards_phy 1000
counted discards
fault_counter rx_prio3_buf_discard 5
counted lossless
fault_counter rx_prio4_buf_discard 5
check lossy
fault_counter rx_crc_errors_phy 1000
counted corruption
fault_counter tx_pause_storm_error_events 3
counted pause_storm
fault_flap eth1 3
counted flap
afresh
check usual_before --profile usual
fault_flap eth1 1
check flap_once --profile usual
fault_flap eth1 1
check flap_twice --profile usual

# A driver that hangs, alone; and one that holds up all that asks for a netdev.
afresh
patience=2
fault_hang 20000 alone
check hang_alone
check hang_again
mend_hang
patience=10
check hang_alone.mended
fault_hang 20000
patience=2
check hang
mend_hang
patience=10
check hang.mended

# One run at a time.
afresh
fault_lldp_silent
"$program" --config "$config" --state-dir "$state" --lldp 6 >/dev/null &
first=$!
eventually grep -qx "$first" "$state/lock"
check second
echo "$first" >"$OUT/second.holder"
wait "$first" || true
check third
mend_lldp_silent

# What it changes on the node, and what it remembers.
state=/run/none
"$program" --config "$config" --no-state --device-timeout "$patience" --timeout 30 >/dev/null && test ! -e /run/none
echo $? >"$OUT/stateless"
"$program" --device-timeout "$patience" --learn this >/run/learnt.conf
cp /run/learnt.conf "$OUT/learnt.conf"
afresh
config=/run/learnt.conf
check learnt
fault_pfc_priority eth1 4
check learnt_pfc
mend_pfc_priority eth1
config=/run/vm.conf
afresh
check diff_before
fault_pfc_priority eth1 4
health --diff >"$OUT/diff" || echo "status $?" >>"$OUT/diff"
mend_pfc_priority eth1
mount -t tracefs tracing /sys/kernel/tracing 2>/dev/null || true
echo 1 >/sys/kernel/tracing/events/sched/sched_process_exec/enable
health >/dev/null || true
echo 0 >/sys/kernel/tracing/events/sched/sched_process_exec/enable
sed -n 's/.*sched_process_exec: filename=\([^ ]*\).*/\1/p' /sys/kernel/tracing/trace >"$OUT/executed"

# All at once, which takes longer than two seconds.
sed 's|^flaps = .*|flaps = 2/2m|' /run/vm.conf >/run/many.conf
config=/run/many.conf
afresh
check many_before
fault_pfc_priority eth1 4
fault_dscp_map eth1 26:4
fault_ets eth1
fault_receive_buffer eth1
fault_firmware_dcbx eth1
fault_global_pause eth1
fault_gid_moved eth1
fault_flap eth1 2
fault_mtu eth1 1500
fault_counter rx_crc_errors_phy 2000
fault_counter tx_pause_storm_error_events 9
fault_counter rx_discards_phy 2000
fault_lldp --pfc 4 --mfs 1400 --port-id Ethernet1/8
cp -r "$state" /run/state-text
check many --lldp 4
state=/run/state-text
health --lldp 4 >"$OUT/many.text" 2>&1 || true
dmesg | grep -E 'BUG|WARNING|Oops|unregister_netdevice' >"$OUT/dmesg" || true
END
    # NAME.findings and NAME.critical of NAME.json.
    python3 - "$out" <<'END'
import json, pathlib, sys
for path in pathlib.Path(sys.argv[1]).glob("*.json"):
    if not (text := path.read_text()):
        continue
    with path.with_suffix(".findings").open("w") as out, path.with_suffix(".critical").open("w") as critical:
        for it in json.loads(text)["findings"]:
            if it.get("severity") == "critical":
                print(it["check"], it["object"], file=critical)
            said = [it["outcome"], it["object"], it["seen"], it.get("wanted", "")]
            print(it["check"] + ": " + " ".join(filter(None, said)), file=out)
END
}

# findings NAME CHECK: what it says, one a line: outcome, object, what was seen, and wanted if it failed.
findings() { sed -n "s/^$2: //p" "$out/$1.findings"; }
# failed NAME [OUTCOME]: the checks that failed, or have that outcome.
failed() { sed -n "s/^\([^ ]*\): ${2-fail} .*/\1/p" "$out/$1.findings" | sort -u | xargs; }
# only NAME CHECK...: these failed and no other, nothing was unread, and the program says so.
only() {
    equal "$(failed "$1")" "${*:2}"
    equal "$(failed "$1" unknown)" ''
    local status milliseconds
    read -r status milliseconds <"$out/$1.status"
    if (($# == 1)); then
        equal "$status" 0
    else
        [[ $status == [12] ]]
    fi
}
# says NAME CHECK TEXT: a finding of it that failed is so.
says() { findings "$1" "$2" | grep -F 'fail ' | grep -F -- "$3" >&2 || { findings "$1" "$2" >&2 && return 1; }; }

@test "a healthy node is well, from the first run" {
    only first
    only healthy
    equal "$(<"$out/healthy.log")" ''
}

@test "each of the profile's checks was made on a healthy node" {
    local check
    for check in device-missing device-open port-state netdev netdev-mtu active-mtu pfc global-pause trust \
        dscp-map ets receive-buffer dcbx fec gid gid-netdev gid-moved link-flaps packet-loss corruption \
        pause-storm; do
        findings healthy "$check" | grep -q '^pass ' || { echo "$check" && return 1; }
    done
}

@test "PFC on another priority, or off, is found" {
    only pfc_priority pfc
    says pfc_priority pfc 'eth1 priorities 4 priorities 3'
    only pfc_off pfc
    says pfc_off pfc 'eth1 priorities none priorities 3'
    only pfc_priority.mended
}

@test "trust in the VLAN tag is found, and not in each DSCP once more" {
    only trust_pcp trust
    says trust_pcp trust 'eth1 pcp dscp'
    only trust_pcp.mended
    only dscp_map dscp-map
    says dscp_map dscp-map 'eth1 DSCP 26 has priority 4 priority 3'
    only dscp_map.mended
}

@test "bandwidth, buffer, pause and who is in control of them are found" {
    only ets ets
    says ets ets 'eth1 class 3 is strict ets 50 %'
    only receive_buffer receive-buffer
    says receive_buffer receive-buffer 'eth1 a lossless priority has no buffer of its own 100000+ bytes'
    only firmware_dcbx dcbx
    only global_pause global-pause
    says global_pause global-pause 'eth1 rx on tx on off'
    local fault
    for fault in ets receive_buffer firmware_dcbx global_pause; do
        only "$fault.mended"
    done
}

@test "a small MTU is found, of the interface and of the packets on it" {
    only mtu active-mtu netdev-mtu
    says mtu netdev-mtu 'eth1 MTU 1500 MTU 9000'
    says mtu active-mtu 'rxe0/1 1024 bytes 4096 bytes'
    only mtu.mended
}

@test "a smaller MTU on the way to a peer is found, and a peer that is away is unknown" {
    only way_whole
    equal "$(findings way_whole mtu-path)" 'pass eth7 9000 bytes to 192.168.107.2 came back whole'
    only way_small mtu-path
    says way_small mtu-path 'eth7 9000 bytes to 192.168.107.2 are lost, small packets are not an answer'
    equal "$(failed way_dead)" ''
    equal "$(failed way_dead unknown)" 'mtu-path'
    only way_mended
}

@test "a port without link is found, and whether a cable or a hand took it" {
    run failed link_down
    [[ " $output " == *" port-state "* ]]
    says link_down port-state 'rxe0/1 DOWN/Polling'
    run failed port_disabled
    [[ " $output " == *" port-state "* ]]
    says port_disabled port-state 'rxe0/1 DOWN/Disabled'
    only link_down.mended
    only port_disabled.mended
}

@test "a GID that is in another row is found, once" {
    only gid_before
    only gid_moved gid-moved
    says gid_moved gid-moved '192.168.100.11'
    only gid_moved.again
    only gid_moved.back gid-moved
    only gid_moved.mended
}

@test "what the switch says otherwise is found" {
    local check
    for check in switch-pfc switch-mtu switch-port; do
        findings lldp_well "$check" | grep -q '^pass '
    done
    only lldp_well
    only lldp_pfc switch-pfc
    says lldp_pfc switch-pfc 'leaf1 port Ethernet1/7 has PFC for 3,4 3'
    only lldp_mtu switch-mtu
    says lldp_mtu switch-mtu 'takes frames of 1518 bytes'
    only lldp_port switch-port
    says lldp_port switch-port 'leaf1:Ethernet1/8 leaf1:Ethernet1/7'
    only lldp_vlan switch-port
    only lldp_mended
}

@test "a frame that is ill-formed is unknown, and no fault of the node's" {
    local how
    for how in cut long short; do
        equal "$(failed "lldp_$how")" ''
        equal "$(failed "lldp_$how" unknown)" 'switch-mtu switch-pfc switch-port'
        [[ $(findings "lldp_$how" switch-pfc) == 'unknown eth1 the switch'"'"'s frame: lldp: '* ]]
    done
}

@test "a silent switch is no fault, nor is one that goes away, or that leaves out the end" {
    only lldp_endless
    only lldp_silent
    only lldp_gone
    [[ $(findings lldp_silent switch-pfc) == 'not applicable eth1 nothing heard of the switch'* ]]
}

@test "lost packets are found, by what RDMA traffic met" {
    only counters_before
    only packet_loss packet-loss
    findings packet_loss packet-loss >&2
    findings packet_loss packet-loss | grep -E '^fail rxe0/1 [0-9]+ .* \((rcvd_seq_err|completer_retry_err) is '
    only packet_loss.mended
}

@test "discards, bad frames and pause storms are found once, from the run before" {
    only discards packet-loss
    says discards packet-loss 'rx_discards_phy is 1000'
    only lossless packet-loss
    only lossy
    only corruption corruption
    only pause_storm pause-storm
    local fault
    for fault in discards lossless corruption pause_storm; do
        only "$fault.mended"
    done
}

@test "flaps are found, and one is none" {
    only flap link-flaps
    says flap link-flaps 'rxe0/1 the link went down 3 times in 2s'
    only flap.mended
    only usual_before
    only flap_once
    only flap_twice link-flaps
    says flap_twice link-flaps 'the link went down 2 times in 5m fewer than 2'
}

@test "a driver that hangs is found in time, and all else is reported" {
    local run status milliseconds
    for run in hang_alone hang_again; do
        equal "$(failed "$run")" device-hung
        says "$run" device-hung 'eth1 no answer within 2000 ms while reading ethtool and DCB of eth1, inside the kernel'
        findings "$run" port-state | grep -q '^pass rxe0/1'
        findings "$run" netdev-mtu | grep -q '^pass eth1'
        [[ $(findings "$run" pfc) == 'unknown eth1 eth1 does not answer'* ]]
        read -r status milliseconds <"$out/$run.status"
        ((status == 2 && milliseconds < 5000))
    done
    only hang_alone.mended
}

@test "a driver that holds up all others is found, and told from them" {
    local status milliseconds
    says hang device-hung 'eth1 no answer within 2000 ms'
    findings hang device-hung >&2
    equal "$(grep '^device-hung ' "$out/hang.critical")" 'device-hung eth1'
    grep -q '^fail eth0 .*: it waits for the network lock' <(findings hang device-hung)
    findings hang device-missing | grep -q '^unknown rxe0'
    read -r status milliseconds <"$out/hang.status"
    ((status == 2 && milliseconds < 5000))
    only hang.mended
}

@test "a second run says who is at it, and the next is not held up" {
    local status milliseconds
    read -r status milliseconds <"$out/second.status"
    equal "$status" 3
    [[ $(<"$out/second.log") == *"another run (pid $(<"$out/second.holder")) has been at it for "* ]]
    only third
}

@test "without a state nothing is written" {
    equal "$(<"$out/stateless")" 0
}

@test "a profile that is learnt here fits, and notices what changes" {
    only learnt
    grep -qx 'pfc = 3' "$out/learnt.conf"
    run failed learnt_pfc
    [[ " $output " == *" pfc "* ]]
}

@test "what changed since the last run is shown" {
    grep -x 'eth1 pfc: 3 -> 4' "$out/diff"
    grep -qx 'status 1' "$out/diff"
}

@test "no other program is started" {
    equal "$(<"$out/executed")" "$FERRULE_HEALTHCHECK"
}

@test "many faults at once are all named in one run" {
    sed 's/^/# /' "$out/many.text" >&3
    local check
    for check in pfc dscp-map ets receive-buffer dcbx global-pause gid-moved link-flaps netdev-mtu active-mtu \
        corruption pause-storm packet-loss switch-pfc switch-mtu switch-port; do
        [[ " $(failed many) " == *" $check "* ]] || { echo "not named: $check" && return 1; }
        grep -qE "^(FAIL|WARN)  +$check " "$out/many.text" || { echo "not in the text: $check" && return 1; }
    done
    equal "$(<"$out/dmesg")" ''
}
