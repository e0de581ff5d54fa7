#!/usr/bin/env bats
# Large packets that may not be cut up, over a veth pair whose far end is in a namespace of its own.

bats_require_minimum_version 1.5.0

setup_file() {
    unshare --net sleep 100 3>&- &
    echo $! >"$BATS_FILE_TMPDIR/far.pid"
    for _ in {1..100}; do
        [[ $(readlink "/proc/$!/ns/net") != "$(readlink /proc/self/ns/net)" ]] && break
        sleep 0.05
    done
    ip link add near mtu 9000 type veth peer name far mtu 9000 netns "$!"
    ip address add 10.9.0.1/24 dev near
    ip -6 address add fd09::1/64 dev near nodad
    ip link set near up
    far ip address add 10.9.0.2/24 dev far
    far ip -6 address add fd09::2/64 dev far nodad
    far ip link set far up
    # Until the kernel has taken note of the carrier, what is sent is lost.
    wait_until_up near
    wait_until_up far
}

wait_until_up() {
    local at='' state=''
    [[ $1 == far ]] && at=far
    for _ in {1..200}; do
        read -r _ state _ < <($at ip -brief link show "$1")
        [[ $state == UP ]] && return
        sleep 0.05
    done
    return 1
}

teardown_file() {
    kill "$(<"$BATS_FILE_TMPDIR/far.pid")"
}

far() {
    nsenter --net --target "$(<"$BATS_FILE_TMPDIR/far.pid")" "$@"
}

@test "a packet of the whole MTU comes back" {
    run -0 "$PROBE_MTU" near 10.9.0.2 9000
    [[ $output == 'answered small-answered 0' ]]
    run -0 "$PROBE_MTU" near fd09::2 9000
    [[ $output == 'answered small-answered 0' ]]
}

@test "a smaller MTU on the way swallows it, and not the small one" {
    far ip link set far mtu 1500
    run -0 "$PROBE_MTU" near 10.9.0.2 9000
    [[ $output == 'lost small-answered 0' ]]
    run -0 "$PROBE_MTU" near 10.9.0.2 1500
    [[ $output == 'answered small-answered 0' ]]
    far ip link set far mtu 9000
}

@test "one that is too large for the interface does not leave: message too long" {
    run -0 "$PROBE_MTU" near 10.9.0.2 9200
    [[ $output == 'lost '*' 90' ]]
}

@test "a peer that answers nothing says nothing of the MTU" {
    run -0 "$PROBE_MTU" near 10.9.0.77 9000
    [[ $output == 'lost small-lost '* ]]
}
