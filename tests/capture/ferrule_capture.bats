#!/usr/bin/env bats
# ferrule-capture: what it writes reads back as the same node, without the node's names.

bats_require_minimum_version 1.5.0

setup_file() {
    trees=$(mktemp -d -p "$([[ -w /dev/shm ]] && echo /dev/shm || echo /tmp)")
    export trees
    touch "$trees/none.conf"
}
teardown_file() { rm -rf "$trees"; }

unpacked() {
    [[ -d $trees/$1 ]] ||
        "$FERRULE_CAPTURE" --unpack "$BATS_TEST_DIRNAME/../machines/$1.machine" "$trees/$1"
}

env_of() { env -i "$FERRULE_ENV" --config "$trees/none.conf" --sysroot "$@"; }

# The tree $1 captured with the options behind it and unpacked again as $1.again.
again() {
    rm -rf "$trees/$1.again" "$trees/$1.archive"
    "$FERRULE_CAPTURE" --sysroot "$trees/$1" --output "$trees/$1.archive" "${@:2}"
    "$FERRULE_CAPTURE" --unpack "$trees/$1.archive" "$trees/$1.again"
}

@test "a capture with its names reads back as the very same node" {
    for machine in dgx-h100-ib oci-h100-roce h20-roce-bond p4d-efa no-hca b300-four-plane \
        pod-macvlan mi300x-rdma-names gb300-no-mlx5-ib nccl-conf memlock-64k ib-uverbs-missing; do
        unpacked "$machine"
        again "$machine" --keep-names
        diff <(env_of "$trees/$machine" --snapshot) <(env_of "$trees/$machine.again" --snapshot) ||
            { echo "$machine" && return 1; }
    done
}

@test "without them it keeps the plan: rails, interface, and the shape of GIDs and subnets" {
    for machine in dgx-h100-ib oci-h100-roce h20-roce-bond b300-roce-ipv6 coreweave-gb300-roce; do
        unpacked "$machine"
        again "$machine"
        for name in NCCL_IB_HCA NCCL_SOCKET_IFNAME NCCL_IB_ADDR_FAMILY UCX_NET_DEVICES; do
            diff <(env_of "$trees/$machine" | grep " $name=") \
                <(env_of "$trees/$machine.again" | grep " $name=")
        done
    done
}

@test "nothing that names the node or its devices is left" {
    unpacked oci-h100-roce
    again oci-h100-roce
    tree=$trees/oci-h100-roce
    for guid in "$tree"/sys/class/infiniband/*/node_guid; do
        run ! grep -q "$(cat "$guid")" "$tree.archive"
    done
    for mac in "$tree"/sys/class/net/e*/address; do
        run ! grep -q "$(cat "$mac")" "$tree.archive"
    done
    run ! grep -qE '\b(n2|10\.77\.0\.12|10\.100\.0\.12)\b' "$tree.archive"
    run ! grep -q "$(sed -n 's/.*UUID.*\(GPU-[0-9a-f-]*\).*/\1/p' "$tree"/proc/driver/nvidia/gpus/0000:0f:00.0/information)" "$tree.archive"
}

@test "this machine, captured live, reads back as it is" {
    "$FERRULE_CAPTURE" --keep-names --output "$trees/live.archive"
    "$FERRULE_CAPTURE" --unpack "$trees/live.archive" "$trees/live"
    grep -q '^ferrule/rtnetlink-addresses <<' "$trees/live.archive"
    diff <(env_of / --snapshot) <(env_of "$trees/live" --snapshot)
}

@test "what a health check reads is in it: counters, PCI, settings, the host" {
    unpacked oci-h100-roce
    tree=$trees/healthy
    cp -a "$trees/oci-h100-roce" "$tree"
    nic=$(cd "$tree" && realpath --relative-to=. sys/class/infiniband/mlx5_0/device)
    # A header with a capability, PCI Express; behind it a serial number that must not show.
    { printf '\xb3\x15\x21\x10\0\0\x10\0' && head -c 44 /dev/zero && printf '\x40' &&
        head -c 11 /dev/zero && printf '\x10\0\x02\0\0\0\0\0\x30\x50' && head -c 182 /dev/zero &&
        printf '\x03\0\x01\0\xde\xad\xbe\xef' && head -c 3832 /dev/zero; } >"$tree/$nic/config"
    echo 'TOTAL_ERR_FATAL 3' >"$tree/$nic/aer_dev_fatal"
    mkdir -p "$tree/sys/module/mlx5_core" "$tree/proc/sys/net/ipv4/conf/all"
    echo 24.10.1.4 >"$tree/sys/module/mlx5_core/version"
    echo 2 >"$tree/proc/sys/net/ipv4/conf/all/arp_ignore"
    again healthy
    archive=$trees/healthy.archive
    grep -q '^ferrule/pci-config/.* <<$' "$archive"
    grep -A5 '^ferrule/pci-config/' "$archive" | grep -q '^|1000.*00003050'
    run ! grep -qi deadbeef "$archive"
    grep -q '/mlx5_0/ports/1/hw_counters/out_of_sequence = ' "$archive"
    grep -q '/aer_dev_fatal = TOTAL_ERR_FATAL 3$' "$archive"
    grep -q '^sys/module/mlx5_core/version = 24.10.1.4$' "$archive"
    grep -q '^proc/sys/net/ipv4/conf/all/arp_ignore = 2$' "$archive"
    # And a capture of what was captured is the same.
    "$FERRULE_CAPTURE" --keep-names --sysroot "$trees/healthy.again" --output "$trees/twice"
    diff <(grep -v '^#' "$archive" | LC_ALL=C sort) <(grep -v '^#' "$trees/twice" | LC_ALL=C sort)
}

@test "what the kernel says of an adapter's port is in a live capture" {
    port=
    for netdev in /sys/class/net/*/device; do [[ -e $netdev ]] && port=${netdev%/device} && break; done
    [[ -n $port ]] || skip 'no adapter here'
    "$FERRULE_CAPTURE" --output "$trees/port.archive"
    grep -q "^ferrule/ethtool/${port##*/}/linkstate" "$trees/port.archive"
    run ! grep -q '^ferrule/lldp/' "$trees/port.archive"
    run ! grep -q '^# unread: ferrule/' "$trees/port.archive"
}

@test "files about a port are kept as they are, but a switch's frame only with names" {
    unpacked no-hca
    tree=$trees/ports
    cp -r "$trees/no-hca" "$tree"
    port=$(cd "$tree/sys/class/net" && printf '%s\n' * | grep -v '^lo$' | head -n 1)
    mkdir -p "$tree/ferrule/ethtool/$port" "$tree"/ferrule/{dcb,lldp}
    echo 'rx_discards_phy: 3' >"$tree/ferrule/ethtool/$port/statistics"
    printf '%064d\n' 2 >"$tree/ferrule/dcb/$port"
    printf '%064d\n' 3 >"$tree/ferrule/lldp/$port"
    again ports --keep-names
    diff -r "$tree/ferrule" "$tree.again/ferrule"
    again ports
    diff -r "$tree"/ferrule/ethtool "$tree.again/ferrule/ethtool"
    diff -r "$tree"/ferrule/dcb "$tree.again/ferrule/dcb"
    [[ ! -e $tree.again/ferrule/lldp ]]
}

@test "rows that are equal stand in one line" {
    unpacked oci-h100-roce
    again oci-h100-roce
    grep -q 'gids/{4..255} = 0000:0000' "$trees/oci-h100-roce.archive"
    (($(wc -l <"$trees/oci-h100-roce.archive") < 9000))
}

@test "what cannot be read is a comment, and no end" {
    unpacked mixed-down
    state=$(find "$trees/mixed-down/sys/devices" -path '*mlx5_0/ports/1/state')
    rm "$state" && mkdir "$state"
    again mixed-down
    grep -q '^# unread: .*mlx5_0/ports/1/state: Is a directory' "$trees/mixed-down.archive"
}

@test "errors are one sentence, and a file is never written over" {
    unpacked no-hca
    again no-hca
    run -1 "$FERRULE_CAPTURE" --sysroot "$trees/no-hca" --output "$trees/no-hca.archive"
    [[ $output == "ferrule-capture: $trees/no-hca.archive: is there already; name a new file" ]]
    run -1 "$FERRULE_CAPTURE" --sysroot /no/such
    [[ $output == 'ferrule-capture: /no/such: No such file or directory' ]]
    printf '# machine: m\nnonsense\n' >"$trees/bad"
    run -1 "$FERRULE_CAPTURE" --unpack "$trees/bad" "$trees/out"
    [[ $output == "ferrule-capture: $trees/bad: line 2: not an entry of a machine archive" ]]
    run -1 "$FERRULE_CAPTURE" --unpack "$trees/no-hca.archive" "$trees/no-hca"
    [[ $output == "ferrule-capture: $trees/no-hca: is not empty; unpack into a new directory" ]]
    run -2 "$FERRULE_CAPTURE" --name $'a\nb'
    run -2 "$FERRULE_CAPTURE" --unpack "$trees/no-hca.archive"
    run -2 "$FERRULE_CAPTURE" --unpack "$trees/no-hca.archive" "$trees/out" --output "$trees/o"
    run -2 "$FERRULE_CAPTURE" --nonsense
    [[ $output == *'see ferrule-capture --help' ]]
}
