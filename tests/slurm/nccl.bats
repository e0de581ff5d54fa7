#!/usr/bin/env bats
# The real NCCL takes the interface that was planned. A whole Slurm runs in a network namespace with
# the interfaces that lead libraries astray: one whose name they like best, and one for containers.

load cluster.bash

setup_file() {
    ip netns add "ferrule$$"
    export namespace=ferrule$$
    inside ip link set lo up
    add_interface ib0 10.150.0.1/24
    add_interface docker0 172.17.0.1/16
    add_interface eno1 10.77.0.11/24
    inside ip route add default via 10.77.0.1
    scratch=$(mktemp -d /tmp/ferrule-XXXXXX)
    export scratch
    mkdir -p "$scratch/plugstack.d" "$scratch/work"
    touch "$scratch/none.conf"
    echo "optional $FERRULE_PLUGIN config=$scratch/none.conf" >"$scratch/plugstack.d/n1.conf"
    echo "optional $FERRULE_PLUGIN" >"$scratch/plugstack.d/client.conf"
    inside "$here/../support/cluster" start "$scratch" n1 >&2
}

teardown_file() {
    if [[ ${namespace-} ]]; then
        inside "$here/../support/cluster" stop "$scratch"
        ip netns delete "$namespace"
        rm -rf "$scratch"
    fi
}

setup() { use_cluster; }

inside() { ip netns exec "$namespace" "$@"; }

# One end of a virtual cable, the other end in the same namespace and up.
add_interface() {
    inside ip link add "$1" type veth peer name "far-$1"
    inside ip address add "$2" dev "$1"
    inside ip link set "far-$1" up
    inside ip link set "$1" up
}

# The interface that NCCL says it uses under srun with the given options.
interface_of_nccl() {
    inside timeout 60 srun -w n1 "$@" env NCCL_DEBUG=INFO "$FERRULE_ORACLE" "$FERRULE_NCCL" 2>&1 |
        sed -n 's/.*Bootstrap *: *Using \([^:]*\):.*/\1/p'
}

@test "left alone NCCL takes the wrong interface here, so the next test means something" {
    equal "$(interface_of_nccl --fabric=off)" ib0
}

@test "NCCL takes the planned interface" {
    run -0 inside timeout 60 srun -w n1 env
    equal "$(value_of NCCL_SOCKET_IFNAME <<<"$output")" =eno1
    equal "$(interface_of_nccl)" eno1
    equal "$(interface_of_nccl --fabric=tcp)" eno1
}

@test "NCCL takes what the user asks for" {
    export NCCL_SOCKET_IFNAME='=docker0'
    equal "$(interface_of_nccl)" docker0
}
