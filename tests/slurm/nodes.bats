#!/usr/bin/env bats
# Each node gets its own values: in batch scripts and steps, whatever node they came from.

load cluster.bash

setup_file() { start_cluster; }
teardown_file() { stop_cluster; }
setup() { use_cluster; }

@test "six unlike nodes get six environments from one srun" {
    run -0 --separate-stderr timeout 60 srun -N6 -l bash -c 'echo "$NCCL_IB_HCA $NCCL_SOCKET_IFNAME"'
    equal "$(sort <<<"$output")" "0: $n1_hca =eno1
1: =mlx5_0:1,mlx5_1:1,mlx5_3:1,mlx5_4:1,mlx5_5:1,mlx5_6:1,mlx5_7:1,mlx5_8:1,mlx5_9:1,mlx5_10:1,mlx5_12:1,mlx5_13:1,mlx5_14:1,mlx5_15:1,mlx5_16:1,mlx5_17:1 =eth0
2: $n3_hca =bond4
3: $n4_hca =enp27s0f0np0
4:  =ens32
5:  =enp5s0"
    equal "$stderr" ""
}

@test "a batch script on one node and its steps on others see their own node's values" {
    run batch -N2 -w n1,n3 <<'END'
echo "batch $NCCL_IB_HCA $NCCL_SOCKET_IFNAME ${NCCL_IB_ADDR_FAMILY-unset}"
srun -N2 -l bash -c 'echo "$NCCL_IB_HCA $NCCL_SOCKET_IFNAME ${NCCL_IB_ADDR_FAMILY-unset}"' | sort
END
    equal "$output" "batch $n1_hca =eno1 unset
0: $n1_hca =eno1 unset
1: $n3_hca =bond4 AF_INET"
}

@test "values of a RoCE batch script do not reach a step on a node without HCAs" {
    run batch -N2 -w n2,n6 <<'END'
echo "${NCCL_IB_ADDR_FAMILY-unset}"
srun -N1 -w n6 bash -c 'echo "${NCCL_IB_HCA-unset} ${NCCL_IB_ADDR_FAMILY-unset} ${UCX_NET_DEVICES-unset} $NCCL_SOCKET_IFNAME"'
END
    equal "$output" "AF_INET
unset unset unset =enp5s0"
}

@test "every task of a node sees the same list" {
    run -0 --separate-stderr timeout 60 srun -N2 -w n1,n3 --ntasks-per-node=3 bash -c 'echo "$SLURMD_NODENAME $NCCL_IB_HCA"'
    equal "$(sort <<<"$output" | uniq -c | sed 's/^ *//')" "3 n1 $n1_hca
3 n3 $n3_hca"
}

@test "salloc, its interactive step and --overlap get the node's values" {
    run -0 --separate-stderr timeout 60 salloc -w n3 srun bash -c 'echo "$NCCL_IB_HCA"'
    equal "$output" "$n3_hca"
    # Without a command salloc runs a shell in a step of its own on the node.
    run -0 --separate-stderr timeout 60 salloc -w n4 <<<'echo "interactive $NCCL_IB_HCA"; exit'
    [[ $output == *"interactive $n4_hca"* ]]
    run batch -w n3 <<'END'
srun sleep 3 &
sleep 1
srun --overlap bash -c 'echo "$NCCL_IB_HCA"'
wait
END
    equal "$output" "$n3_hca"
}

@test "the components of a heterogeneous job get their own node's values" {
    run -0 timeout 60 srun -w n1 bash -c 'echo "$SLURMD_NODENAME $NCCL_IB_HCA"' : -w n3 bash -c 'echo "$SLURMD_NODENAME $NCCL_IB_HCA"'
    equal "$(grep '^n' <<<"$output" | sort)" "n1 $n1_hca
n3 $n3_hca"
}

@test "a job of an ordinary user gets the same values" {
    local user
    user=$(env -C / runuser -u nobody -- timeout 60 env SLURM_CONF="$SLURM_CONF" srun --chdir=/ -w n3 bash -c 'echo "$(id -un) $NCCL_IB_HCA"')
    equal "$user" "nobody $n3_hca"
}

@test "a job submitted from within a job is not tied to the outer node's values" {
    run batch -w n1 <<'END'
cat >inner.sh <<'INNER'
#!/bin/bash
echo "$NCCL_IB_HCA $NCCL_SOCKET_IFNAME"
INNER
sbatch --wait -w n3 -o inner.out inner.sh >/dev/null
cat inner.out
END
    equal "$output" "$n3_hca =bond4"
}

@test "a tree that cannot be read costs a line in the log and not the job" {
    mkdir -p "$scratch/trees/broken/sys/class/infiniband/mlx5_0/ports/1/state"
    echo "optional $FERRULE_PLUGIN sysroot=$scratch/trees/broken config=$scratch/none.conf" >"$scratch/plugstack.d/n4.conf"
    run -0 --separate-stderr timeout 60 srun -w n4 bash -c 'echo "ran ${NCCL_IB_HCA-unset}"'
    equal "$output" "ran unset"
    echo "optional $FERRULE_PLUGIN sysroot=/no/such/tree config=$scratch/none.conf" >"$scratch/plugstack.d/n4.conf"
    run -0 --separate-stderr timeout 60 srun -w n4 bash -c 'echo "ran ${NCCL_IB_HCA-unset}"'
    equal "$output" "ran unset"
    equal "$stderr" ""
    [[ $(ferrule_log) == *"/no/such/tree: No such file or directory"* ]]
    plugstack n4
}
