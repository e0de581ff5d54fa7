#!/usr/bin/env bats
# A capture of a live node with Soft-RoCE, and of tests/machines/vm-soft-roce.machine, which is one.

load vm.bash

setup_file() {
    export out=$BATS_FILE_TMPDIR/out
    mkdir "$out"
    in_vm --limit 240 --nics 2 --out "$out" -- "$FERRULE_ENV" "$FERRULE_CAPTURE" \
        "$FERRULE_READ_TEST" <<'END'
netdev eth0 10.77.0.11/24 1500
ip route add default via 10.77.0.1
netdev eth1 192.168.100.11/24 4200
soft_roce rxe0 eth1
eventually has_ipv4_gid rxe0
"$2" --name vm-soft-roce --output "$OUT/vm-soft-roce.machine"
"$2" --keep-names --output "$OUT/named"
env -i "$1" --snapshot >"$OUT/live.snapshot"
"$3" '[.soft-roce]' >"$OUT/read_test" || echo "status $?" >>"$OUT/read_test"
END
    touch "$out/none.conf"
}

env_of() { env -i "$FERRULE_ENV" --config "$out/none.conf" --sysroot "$@"; }

@test "the capture reads back as the live node" {
    "$FERRULE_CAPTURE" --unpack "$out/named" "$out/named.tree"
    diff "$out/live.snapshot" <(env_of "$out/named.tree" --snapshot)
}

@test "verbs opens the device and tells its MTU" {
    cat "$out/read_test"
    grep -q '^All tests passed (3 assertions in 1 test case)' "$out/read_test"
}

@test "without names it gives the same plan, and no address of the node's" {
    "$FERRULE_CAPTURE" --unpack "$out/vm-soft-roce.machine" "$out/tree"
    run env_of "$out/tree"
    [[ $output == *"export NCCL_IB_HCA='=rxe0:1'"* ]]
    [[ $output == *"export NCCL_SOCKET_IFNAME='=eth0'"* ]]
    run ! grep -qE '192\.168\.100\.11|c0a8:640b|c0a8640b|0a4d000b' "$out/vm-soft-roce.machine"
}

@test "the machine of the collection is still what a capture makes" {
    # Numbers of devices and addresses differ from one capture to the next, modules from one processor to
    # another.
    shape() { grep -v '^|\|^ferrule/\|^sys/module/\|= .*:\|^#' "$1" | cut -d ' ' -f 1; }
    diff <(shape "$here/../machines/vm-soft-roce.machine") <(shape "$out/vm-soft-roce.machine")
}
