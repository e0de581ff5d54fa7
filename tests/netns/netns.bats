#!/usr/bin/env bats
# Ports as a real kernel tells them, and frames that really travel: veth pairs in a namespace.

bats_require_minimum_version 1.5.0

setup_file() {
    pair near0 far0
    pair near1 far1
    cat >"$BATS_FILE_TMPDIR/send" <<'PYTHON'
# send READY NETDEV PORT [GROUP [VLAN]]: ten frames a second, until killed; READY is there from the first on.
import pathlib, socket, sys, time
ready = pathlib.Path(sys.argv.pop(1))
netdev, port = sys.argv[1], sys.argv[2].encode()
group = sys.argv[3] if len(sys.argv) > 3 else "0e"
tag = bytes.fromhex("81000000") if len(sys.argv) > 4 else b""
def tlv(kind, value):
    return (kind << 9 | len(value)).to_bytes(2, "big") + value
frame = (bytes.fromhex("0180c20000" + group) + bytes.fromhex("020000000001") + tag + bytes.fromhex("88cc")
         + tlv(1, b"\x07sw") + tlv(2, b"\x05" + port) + tlv(3, b"\x00\x78") + tlv(0, b""))
with socket.socket(socket.AF_PACKET, socket.SOCK_RAW) as out:
    out.bind((netdev, 0))
    while True:
        out.send(frame)
        ready.touch()
        time.sleep(0.1)
PYTHON
}

pair() {
    ip link add "$1" type veth peer name "$2"
    ip link set "$1" up
    ip link set "$2" up
}

# Frames are only those of a test: the kernel sends none itself.
sending() {
    local ready=$BATS_TEST_TMPDIR/ready.$1.${2//\//-}
    python3 "$BATS_FILE_TMPDIR/send" "$ready" "$@" 3>&- &
    senders+=($!)
    for _ in {1..200}; do
        [[ -e $ready ]] && return
        sleep 0.05
    done
    return 1
}

teardown() {
    for sender in "${senders[@]}"; do kill "$sender"; done
    senders=()
}

@test "a frame is heard on each interface, and the wait ends with the last" {
    sending far0 Ethernet1/1
    sending far1 Ethernet1/2
    run -0 "$ASK_PORT" lldp 20000 near0 near1
    [[ $output == $'near0: Ethernet1/1\nnear1: Ethernet1/2' ]]
    ((SECONDS < 15))
}

@test "all three group addresses are heard, and a frame with a tag of priority alone" {
    for group in 0e 03 00; do
        sending far0 "port-$group" "$group"
        run -0 "$ASK_PORT" lldp 20000 near0
        [[ $output == "near0: port-$group" ]]
        teardown
    done
    sending far0 tagged 0e vlan
    run -0 "$ASK_PORT" lldp 20000 near0
    [[ $output == 'near0: tagged' ]]
}

@test "a silent interface, one that is not there, and own frames give nothing until the deadline" {
    sending near0 own
    sending far1 Ethernet1/2
    run -0 "$ASK_PORT" lldp 600 near0 near1 nosuch0
    [[ $output == 'near1: Ethernet1/2' ]]
}

@test "the idle member of a bond hears its own switch" {
    ip link add bond9 type bond mode active-backup miimon 100 || skip 'no bonding in this kernel'
    for member in 2 3; do
        ip link add "near$member" type veth peer name "far$member"
        ip link set "near$member" master bond9
        ip link set "far$member" up
    done
    ip link set bond9 up
    sending far2 Ethernet1/3
    sending far3 Ethernet1/4
    run -0 "$ASK_PORT" lldp 20000 near2 near3
    [[ $output == $'near2: Ethernet1/3\nnear3: Ethernet1/4' ]]
}

@test "the loopback and a veth have no DCB, which is no problem" {
    for netdev in lo near0; do
        run -0 "$ASK_PORT" ethernet "$netdev"
        [[ ${lines[0]} == 'dcb no' ]]
        [[ $output != *problem* ]]
    done
}

@test "a veth tells link, speed and statistics, a downed one no link" {
    run -0 "$ASK_PORT" ethernet near0
    [[ ${lines[1]} == 'link 1' ]]
    [[ ${lines[2]} == 'speed 10000' ]]
    [[ ${lines[3]} == 'pause no' ]]
    [[ $output == *'statistic peer_ifindex'* ]]
    diff <(sed -n 's/^statistic //p' <<<"$output") <(ethtool -S near0 | sed -n 's/^ *\(.*\): [0-9]*$/\1/p')
    ip link set far1 down
    run -0 "$ASK_PORT" ethernet near1
    [[ ${lines[1]} == 'link 0' ]]
    ip link set far1 up
}

@test "an interface that is gone is a problem of every question" {
    run -0 "$ASK_PORT" ethernet nosuch0
    [[ $output == *'problem ethtool/nosuch0/statistics: ethtool: nosuch0: No such device'* ]]
    [[ $output == *'problem ethtool/nosuch0/linkstate: ethtool: No such device'* ]]
    [[ $output == *'problem dcb/nosuch0: dcb: No such device'* ]]
}
