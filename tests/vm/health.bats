#!/usr/bin/env bats
# ferrule-healthcheck on a live node: well when it is, and each fault found where it was made, with what
# is and what should be. FERRULE_HEALTHCHECK names what was built.

load vm.bash

setup_file() {
    export out=$BATS_FILE_TMPDIR/out
    mkdir "$out"
    in_vm --limit 360 --module ferrule_dcb --out "$out" -- "$here" "$FERRULE_HEALTHCHECK" <<'END'
source "$1/fault.bash"
program=$2
cat >/run/vm.conf <<'CONF'
[profile vm]
rails = rxe0
mtu = 9000
pfc = 3
trust = dscp
dscp_map = 26:3, 48:6
global_pause = off
CONF

# check NAME: leaves NAME.json, and NAME.status with the exit status and the milliseconds.
check() {
    local status=0 begin=${EPOCHREALTIME/./}
    timeout 60 "$program" --config /run/vm.conf --state-dir /run/state --json >"$OUT/$1.json" 2>"$OUT/$1.log" || status=$?
    echo "$status $(((${EPOCHREALTIME/./} - begin) / 1000))" >"$OUT/$1.status"
}

# with FAULT ARG...: FAULT.json of the node with it, and after that without.
with() {
    "fault_$1" "${@:2}"
    check "$1"
    "mend_$1" "${@:2:1}"
}

mkdir /run/state
ground_up
check first
check healthy

with pfc_priority eth1 4
with trust_pcp eth1
with dscp_map eth1 26:4
with mtu eth1 1500
with global_pause eth1
with receive_buffer eth1
with ets eth1
with link_down eth1
with port_disabled eth1
with gid_moved eth1
check mended

# lldp NAME OPTION...: lldp_NAME.json, when the switch has begun to say so.
lldp() {
    fault_lldp "${@:2}"
    "$ground_files/lldp_receive.py" eth1 20 >/dev/null
    check "lldp_$1"
}
lldp pfc --pfc 3,4
lldp mtu --mfs 1518
lldp port --port-id Ethernet1/8
for how in cut long short endless; do
    lldp "$how" --ill "$how"
done
lldp gone --ttl 0
mend_lldp
fault_lldp_silent
check lldp_silent
mend_lldp_silent

# Counters count from the check before.
check before_counters
with flap eth1 5
with packet_loss eth1 5
fault_counter rx_discards_phy 1000
check discards
fault_counter rx_crc_errors_phy 1000
check corruption
check after_counters

fault_hang 10000
check hang
mend_hang
check last
END
}

# Prints of the check $2 in NAME.json what the Python expression $3, with finding, is for each finding, one
# a line: outcome, object, what was seen and wanted if there is none.
findings() {
    python3 - "$out/$1.json" "$2" "${3-}" <<'END'
import json, sys
path, check, expression = sys.argv[1:]
expression = expression or '" ".join(str(finding.get(key)) for key in ("outcome", "object", "seen", "wanted"))'
for finding in json.load(open(path))["findings"]:
    if finding["check"] == check:
        print(eval(expression))
END
}
# The checks of NAME.json that failed.
failed() {
    python3 - "$out/$1.json" <<'END'
import json, sys
print(*sorted({finding["check"] for finding in json.load(open(sys.argv[1]))["findings"] if finding["outcome"] == "fail"}))
END
}
# only NAME CHECK...: these failed, and no other.
only() { equal "$(failed "$1")" "${*:2}"; }

@test "a healthy node has no finding that failed, from the first run" {
    only first
    only healthy
    only mended
    only last
}

@test "each of the profile's checks was made on a healthy node" {
    local check
    for check in pfc trust dscp-map netdev-mtu port-state gid-moved link-flaps packet-loss corruption global-pause; do
        findings healthy "$check" 'finding["outcome"]' | grep -qx pass
    done
}

@test "PFC on another priority is found, with both" {
    only pfc_priority pfc
    [[ $(findings pfc_priority pfc) == *4*3* ]]
}

@test "trust in the VLAN tag is found, and not in each DSCP once more" {
    run failed trust_pcp
    [[ " $output " == *" trust "* ]]
    only dscp_map dscp-map
    [[ $(findings dscp_map dscp-map) == *26* ]]
}

@test "MTU, pause, buffer and classes are found" {
    only mtu netdev-mtu
    [[ $(findings mtu netdev-mtu) == *1500*9000* ]]
    only global_pause global-pause
    only receive_buffer receive-buffer
    only ets ets
}

@test "a port without link is found, and the reason if it is known" {
    run failed link_down
    [[ " $output " == *" port-state "* ]]
    run failed port_disabled
    [[ " $output " == *" port-state "* ]]
}

@test "a GID that is in another row is found" {
    only gid_moved gid-moved
}

@test "what the switch says otherwise is found" {
    only lldp_pfc switch-pfc
    only lldp_mtu switch-mtu
    only lldp_port switch-port
}

@test "no frame, or one that is ill-formed, is no fault of the node's" {
    local how
    for how in cut long short endless gone silent; do
        only "lldp_$how"
    done
}

@test "flaps, loss and corruption are found once, from the run before" {
    only before_counters
    only flap link-flaps
    only packet_loss packet-loss
    only discards packet-loss
    only corruption corruption
    only after_counters
}

@test "a driver that hangs is found in time, and holds nothing up for long" {
    run failed hang
    [[ " $output " == *" device-hung "* ]]
    local status milliseconds
    read -r status milliseconds <"$out/hang.status"
    ((milliseconds < 9000))
}
