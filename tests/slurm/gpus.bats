#!/usr/bin/env bats
# The rails follow the GPUs that the job owns on each node.

load cluster.bash

setup_file() { start_cluster; }
teardown_file() { stop_cluster; }
setup() { use_cluster; }

@test "a step with some of the GPUs gets the rails nearest to them" {
    run -0 timeout 60 srun -w n1 --gres=gpu:2 bash -c 'echo "$SLURM_STEP_GPUS $NCCL_IB_HCA"'
    equal "$output" "0,1 =mlx5_0:1,mlx5_3:1"
    run -0 timeout 60 srun -w n1 --gres=gpu:8 bash -c 'echo "$NCCL_IB_HCA"'
    equal "$output" "$n1_hca"
}

@test "a batch script and its step follow the GPUs of their own node" {
    run batch -N2 -w n1,n3 --gres=gpu:2 <<'END'
echo "$NCCL_IB_HCA"
srun -N2 -l bash -c 'echo "$SLURM_STEP_GPUS $NCCL_IB_HCA"' | sort
END
    equal "$output" "=mlx5_0:1,mlx5_3:1
0: 0,1 =mlx5_0:1,mlx5_3:1
1: 0,1 =mlx5_bond_0:1"
}

@test "tasks with a GPU each see one list, that of all GPUs of the step" {
    run -0 timeout 60 srun -w n1 -n2 --gpus-per-task=1 bash -c 'echo "$CUDA_VISIBLE_DEVICES $NCCL_IB_HCA"'
    equal "$(cut -d ' ' -f 2 <<<"$output" | sort | uniq -c | sed 's/^ *//')" "2 =mlx5_0:1,mlx5_3:1"
}

@test "GPUs that the node's tree does not have cost no rail" {
    run -0 timeout 60 srun -w n4 --gres=gpu:8 bash -c 'echo "$NCCL_IB_HCA"'
    equal "$output" "$n4_hca"
}
