#!/usr/bin/env bats
# ferrule-env as users call it: what a shell gets, exit statuses, and what bad input is told.

bats_require_minimum_version 1.5.0

setup_file() {
    export BATS_NO_PARALLELIZE_WITHIN_FILE=true
    local machine
    for machine in dgx-h100-ib oci-h100-roce no-hca; do
        "$FERRULE_CAPTURE" --unpack "$BATS_TEST_DIRNAME/../machines/$machine.machine" "$BATS_FILE_TMPDIR/$machine"
    done
    # Not what this machine may have in /etc/ferrule.
    touch "$BATS_FILE_TMPDIR/none.conf"
}

# ferrule-env with an empty environment but for the given NAME=VALUE, on machine $1.
plan() {
    local machine=$1 settings=()
    shift
    while [[ ${1-} == [A-Z]*=* ]]; do
        settings+=("$1")
        shift
    done
    [[ "$*" == *--config* ]] || set -- --config "$BATS_FILE_TMPDIR/none.conf" "$@"
    env -i "${settings[@]}" "$FERRULE_ENV" --sysroot "$BATS_FILE_TMPDIR/$machine" --peers n9 "$@"
}

@test "a shell that evaluates it has the plan" {
    run -0 sh -c "$(plan dgx-h100-ib); echo \"\$NCCL_IB_HCA \$NCCL_SOCKET_IFNAME\""
    [[ $output == "=mlx5_0:1,mlx5_3:1,mlx5_4:1,mlx5_5:1,mlx5_6:1,mlx5_9:1,mlx5_10:1,mlx5_11:1 =eno1" ]]
}

@test "a user's value is left alone and shown, unless --fresh" {
    run -0 plan dgx-h100-ib NCCL_IB_HCA=mine
    [[ $output != *"export NCCL_IB_HCA"* ]]
    [[ $output == *"# NCCL_IB_HCA is your own and stays: mine"* ]]
    run -0 plan dgx-h100-ib NCCL_IB_HCA=mine --fresh
    [[ $output == *"export NCCL_IB_HCA='=mlx5_0:1"* ]]
}

@test "evaluated twice, or on another node, it is right for the last one" {
    local first second
    first=$(plan oci-h100-roce)
    second=$(env -i sh -c "$first
        \"$FERRULE_ENV\" --sysroot \"$BATS_FILE_TMPDIR/no-hca\" --peers n9")
    [[ $second == *"unset NCCL_IB_HCA"* && $second == *"unset NCCL_IB_ADDR_FAMILY"* ]]
    [[ $second == *"export NCCL_SOCKET_IFNAME='=enp5s0'"* ]]
}

@test "--fabric=off undoes, --fabric=tcp leaves RDMA out" {
    run -0 plan dgx-h100-ib 'FERRULE_SET=NCCL_IB_HCA=a' NCCL_IB_HCA=a --fabric=off
    [[ $output == "unset NCCL_IB_HCA
unset FERRULE_SET
# note: nothing is set: --fabric=off" ]]
    run -0 plan dgx-h100-ib --fabric=tcp
    [[ $output == *"export NCCL_IB_DISABLE='1'"* ]]
}

@test "GPUs come from the option, else from Slurm's variables" {
    run -0 plan dgx-h100-ib --gpus 1
    [[ $output == *"NCCL_IB_HCA='=mlx5_3:1'"* ]]
    run -0 plan dgx-h100-ib SLURM_STEP_GPUS=2 SLURM_JOB_GPUS=0
    [[ $output == *"NCCL_IB_HCA='=mlx5_4:1'"* ]]
    run -0 plan dgx-h100-ib SLURM_STEP_GPUS=2 --gpus ''
    [[ $output == *"NCCL_IB_HCA='=mlx5_0:1,mlx5_3:1,mlx5_4:1"* ]]
}

@test "an old NCCL is given an index, a new one never" {
    run -0 plan oci-h100-roce --nccl 2.18
    [[ $output == *"export NCCL_IB_GID_INDEX='3'"* ]]
    run -0 plan oci-h100-roce --nccl 2.21
    [[ $output != *NCCL_IB_GID_INDEX* ]]
}

@test "JSON is JSON, with the documented keys" {
    plan dgx-h100-ib NCCL_IB_HCA=mine --json | python3 -c '
import json, sys
plan = json.load(sys.stdin)
assert list(plan) == ["node", "mode", "fabric", "profile", "environment", "ports", "interfaces",
                      "variables", "nccl", "notes"], list(plan)
assert plan["environment"]["kept"] == {"NCCL_IB_HCA": "mine"}
assert all(port["reason"] for port in plan["ports"])'
    plan dgx-h100-ib --snapshot | python3 -m json.tool >/dev/null
}

@test "misuse is 2, and says what is wrong" {
    run -2 plan dgx-h100-ib --nccl new
    [[ $output == *"give a version such as 2.21"* ]]
    run -2 plan dgx-h100-ib --fabric=fast
    [[ $output == *"give auto, off or tcp"* ]]
    run -2 plan dgx-h100-ib --json --explain
    run -2 plan dgx-h100-ib --gpus 'gpu:0'
    run -2 --separate-stderr "$FERRULE_ENV" --peers 'n[1-'
    [[ $stderr == 'ferrule-env: --peers: hostlist: unbalanced bracket in "n[1-"; see ferrule-env --help' ]]
    run -2 plan dgx-h100-ib --no-such-option
    run -2 plan dgx-h100-ib stray
    run -0 "$FERRULE_ENV" --help
    run -0 "$FERRULE_ENV" --version
    [[ $output == "ferrule-env "[0-9]* ]]
}

@test "what cannot be read is 1, in one sentence with the name" {
    run -1 --separate-stderr "$FERRULE_ENV" --sysroot /no/such/tree
    [[ $output == "" && $stderr == "ferrule-env: /no/such/tree: No such file or directory" ]]
    run -1 --separate-stderr plan dgx-h100-ib --config /no/such.conf
    [[ $stderr == *"/no/such.conf: No such file or directory" ]]
    run -1 --separate-stderr "$FERRULE_ENV" --sysroot "$BATS_TEST_TMPDIR"
    [[ $stderr == *"no tree of a node: sys/class is not in it" ]]
    run -1 --separate-stderr bash -c '"$0" --sysroot "$1" --explain >/dev/full' "$FERRULE_ENV" "$BATS_FILE_TMPDIR/no-hca"
    [[ $stderr == "ferrule-env: standard output cannot be written" ]]
}

@test "what does not fit the node is a note, in the shell's lines too" {
    run -0 plan dgx-h100-ib --gpus 99
    [[ $output == *'# note: GPUs "99": no such GPU among the 8 of this node; all rails are given'* ]]
    run -0 "$FERRULE_ENV" --config "$BATS_FILE_TMPDIR/none.conf" --sysroot "$BATS_FILE_TMPDIR/no-hca" --peers 10.77.0.12,nowhere
    [[ $output == *"# note: nowhere: not in /etc/hosts, so it has no say"* ]]
    printf '[profile a]\nrails = mlx5_0, nosuch\n' >"$BATS_TEST_TMPDIR/rails.conf"
    run -0 plan dgx-h100-ib --config "$BATS_TEST_TMPDIR/rails.conf"
    [[ $output == *"# note: nosuch: a rail of profile a, and no port of this node"* ]]
}

@test "a pipe in a tree does not hold it" {
    cp -a "$BATS_FILE_TMPDIR/no-hca" "$BATS_TEST_TMPDIR/tree"
    mkdir -p "$BATS_TEST_TMPDIR/tree/sys/class/infiniband/mlx5_0/ports/1"
    mkfifo "$BATS_TEST_TMPDIR/tree/sys/class/infiniband/mlx5_0/ports/1/state"
    run -0 timeout 10 "$FERRULE_ENV" --sysroot "$BATS_TEST_TMPDIR/tree" --snapshot
}

@test "a configuration that others may write is refused, one's own is not" {
    local conf=$BATS_TEST_TMPDIR/ferrule.conf
    printf '[profile a]\nservice_level = 3\n' >"$conf"
    run -0 plan dgx-h100-ib --config "$conf"
    [[ $output == *"export NCCL_IB_SL='3'"* ]]
    chmod 666 "$conf"
    run -1 plan dgx-h100-ib --config "$conf"
    [[ $output == *"chmod go-w it"* ]]
}

@test "an ordinary user may call it" {
    if ((EUID != 0)); then skip "already one"; fi
    local tree
    tree=$(mktemp -d)
    "$FERRULE_CAPTURE" --unpack "$BATS_TEST_DIRNAME/../machines/mixed-down.machine" "$tree"
    chmod 755 "$tree"
    run runuser -u nobody -- env -i "$FERRULE_ENV" --sysroot "$tree"
    rm -rf "$tree"
    [[ $status -eq 0 && $output == *"export NCCL_IB_HCA="* ]]
}

@test "on this machine itself it answers, whatever is here" {
    run -0 "$FERRULE_ENV" --explain
    [[ $output == "node "* ]]
    run -0 "$FERRULE_ENV" --snapshot
}
