# What the tests on a real Slurm share. Six unlike nodes, each with the tree of its own machine:
#
#   n1  8 InfiniBand rails, storage HCAs     n4  InfiniBand with DOWN and INIT ports
#   n2  8 dual-port RoCE cards               n5  EFA
#   n3  4 RoCE bonds                         n6  no HCA at all
#
# FERRULE_PLUGIN, FERRULE_CAPTURE and FERRULE_ENV name what was built; ctest sets them.

bats_require_minimum_version 1.5.0

here=$(cd "$BATS_TEST_DIRNAME" && pwd)
machines=(dgx-h100-ib oci-h100-roce h20-roce-bond mixed-down p4d-efa no-hca)
export n1_hca='=mlx5_0:1,mlx5_3:1,mlx5_4:1,mlx5_5:1,mlx5_6:1,mlx5_9:1,mlx5_10:1,mlx5_11:1'
export n3_hca='=mlx5_bond_0:1,mlx5_bond_1:1,mlx5_bond_2:1,mlx5_bond_3:1'
export n4_hca='=mlx5_0:1,mlx5_3:1'

# The line of plugstack.conf for node $1, with more arguments behind it. What the machine itself may
# have in /etc/ferrule is never read.
plugstack() {
    echo "optional ${plugin:-$FERRULE_PLUGIN} sysroot=$scratch/trees/$1 ${*:2}" \
        "$([[ ${*:2} == *config=* ]] || echo "config=$scratch/none.conf")" >"$scratch/plugstack.d/$1.conf"
}

start_cluster() {
    # Slurm's sockets want short paths, and jobs of nobody read here.
    scratch=$(mktemp -d /tmp/ferrule-XXXXXX)
    export scratch
    chmod 755 "$scratch"
    mkdir -p "$scratch/plugstack.d" "$scratch/work"
    touch "$scratch/none.conf"
    chmod 777 "$scratch/work"
    local node
    for node in 1 2 3 4 5 6; do
        "$FERRULE_CAPTURE" --unpack "$here/../machines/${machines[node - 1]}.machine" "$scratch/trees/n$node"
        plugstack "n$node"
    done
    echo "optional ${plugin:-$FERRULE_PLUGIN}" >"$scratch/plugstack.d/client.conf"
    "$here/../support/cluster" start "$scratch" n1 n2 n3 n4 n5 n6 >&2
}

stop_cluster() {
    "$here/../support/cluster" stop "$scratch"
    [[ $scratch == /tmp/ferrule-* ]] && rm -rf "$scratch"
}

# In setup(): the client's environment, free of what tests care about.
use_cluster() {
    eval "$("$here/../support/cluster" env "$scratch")"
    local name
    for name in $(compgen -e | grep -E '^(NCCL|UCX|GLOO|FI|FERRULE_SET)'); do
        unset "$name"
    done
    # salloc starts it.
    export SHELL=/bin/bash
    cd "$scratch/work" || return
    wc -c "$scratch"/log/n?.log >"$scratch/logged"
}

# Runs the script on standard input as a batch job with the given options of sbatch, and prints what
# it wrote to standard output and standard error.
batch() {
    local script out
    script=$(mktemp "$scratch/work/script-XXXXXX")
    out=$script.out
    { echo '#!/bin/bash' && cat; } >"$script"
    timeout 60 sbatch --wait --output="$out" "$@" "$script" >/dev/null
    cat "$out"
}

# What Ferrule wrote to the nodes' logs since the test began.
ferrule_log() {
    local size log
    sleep 0.3
    while read -r size log; do
        [[ $log == total ]] || tail -c "+$((size + 1))" "$log"
    done <"$scratch/logged" | grep 'ferrule:' || true
}

# The value that $1 has in the environment printed on standard input; "unset" when it has none.
value_of() {
    local line
    line=$(grep -m 1 "^$1=") && echo "${line#*=}" || echo unset
}

equal() {
    if [[ $1 != "$2" ]]; then
        printf 'got:    %s\nwanted: %s\n' "$1" "$2" >&2
        return 1
    fi
}
