#!/usr/bin/env bats
# Values that a container's image brings, with a stand-in for the container plugin.

load cluster.bash

setup_file() {
    start_cluster
    printf '%s\n' 'NCCL_IB_HCA=mlx5' 'NCCL_IB_GID_INDEX=3' 'NCCL_IB_TC=52' 'NCCL_DEBUG=VERSION' \
        >"$scratch/image"
    printf '[profile gpu]\ntraffic_class = 104\n' >"$scratch/replace.conf"
    printf '[profile gpu]\ntraffic_class = 104\nimage_values = keep\n' >"$scratch/keep.conf"
}
teardown_file() { stop_cluster; }
setup() { use_cluster; }

# Ferrule behind the container plugin on node $1, with the configuration $2.
behind_image() {
    plugstack "$1" "config=$scratch/$2.conf"
    sed -i "1i optional $FERRULE_IMAGE_PLUGIN $scratch/image" "$scratch/plugstack.d/$1.conf"
}

shown='echo "$NCCL_IB_HCA|${NCCL_IB_GID_INDEX-unset}|$NCCL_IB_TC|$NCCL_IB_FIFO_TC|$NCCL_DEBUG"'
export shown

@test "the node's values win over the image's, in every task, and the rest of the image stays" {
    behind_image n3 replace
    run srun -w n3 -n2 bash -c "$shown"
    equal "$output" "$n3_hca|unset|104|104|VERSION
$n3_hca|unset|104|104|VERSION"
}

@test "the image's values stay where the site says so, and of a group all" {
    behind_image n3 keep
    run srun -w n3 bash -c "$shown"
    equal "$output" "mlx5|3|52||VERSION"
}

@test "what the user set is neither Ferrule's nor taken away by it" {
    behind_image n3 replace
    run env UCX_NET_DEVICES=mine srun -w n3 bash -c 'echo "$UCX_NET_DEVICES"'
    equal "$output" mine
}

@test "the explanation says what the image had another idea of" {
    behind_image n3 replace
    run srun -w n3 --fabric-explain true
    [[ $output == *'container: NCCL_IB_HCA set again, the image had another idea'* ]]
    [[ $output == *'container: NCCL_IB_GID_INDEX removed'* ]]
}

@test "a batch script in a container and a step in it agree" {
    behind_image n3 replace
    run batch -w n3 <<'END'
bash -c "$shown"
srun bash -c "$shown"
END
    equal "$output" "$n3_hca|unset|104|104|VERSION
$n3_hca|unset|104|104|VERSION"
}

@test "only the HCAs that the container will show are rails" {
    plugstack n1 "config=$scratch/none.conf"
    run env MELLANOX_VISIBLE_DEVICES=0,3 srun -w n1 bash -c 'echo "$NCCL_IB_HCA"'
    equal "$output" '=mlx5_0:1,mlx5_3:1'
}
