#!/usr/bin/env bats
# ferrule.conf on real nodes: profiles, and files that cannot be trusted.

load cluster.bash

setup_file() { start_cluster; }
teardown_file() { stop_cluster; }

setup() {
    use_cluster
    cat >"$scratch/ferrule.conf" <<'END'
[profile roce]
nodes = n[2-3]
dscp = 26
gid_subnet = 10.0.0.0/8

[profile partition]
nodes = n1
pkey = 0x8001
service_level = 1
rails = 0000:18:00.0, ibp64s0, mlx5_4:1

[environment partition]
NCCL_IB_QPS_PER_CONNECTION = 4
UCX_NET_DEVICES =
END
    chmod 644 "$scratch/ferrule.conf"
    chown root "$scratch/ferrule.conf"
    for node in n1 n2 n3 n4; do
        plugstack "$node" "config=$scratch/ferrule.conf"
    done
}

@test "each node gets what its profile says" {
    run -0 timeout 60 srun -w n1 env
    equal "$(value_of NCCL_IB_HCA <<<"$output")" "=mlx5_0:1,mlx5_3:1,mlx5_4:1"
    equal "$(value_of NCCL_IB_PKEY <<<"$output")" 1
    equal "$(value_of NCCL_IB_SL <<<"$output")" 1
    equal "$(value_of NCCL_IB_QPS_PER_CONNECTION <<<"$output")" 4
    equal "$(value_of UCX_NET_DEVICES <<<"$output")" unset
    run -0 timeout 60 srun -w n3 env
    equal "$(value_of NCCL_IB_TC <<<"$output")" 104
    equal "$(value_of NCCL_IB_FIFO_TC <<<"$output")" 104
    equal "$(value_of NCCL_IB_ADDR_RANGE <<<"$output")" 10.0.0.0/8
    run -0 timeout 60 srun -w n4 env
    equal "$(value_of NCCL_IB_HCA <<<"$output")" "$n4_hca"
}

@test "a file that anybody may write sets nothing, and the job runs" {
    chmod 666 "$scratch/ferrule.conf"
    run -0 --separate-stderr timeout 60 srun -w n1 bash -c 'echo "ran ${NCCL_IB_HCA-unset}"'
    equal "$output$stderr" "ran unset"
    [[ $(ferrule_log) == *"writable by others than its owner (mode 0666); chmod go-w it"* ]]
    equal "$(ferrule_log | wc -l)" 1
}

@test "a file of another owner sets nothing, and the job runs" {
    chown nobody "$scratch/ferrule.conf"
    run -0 --separate-stderr timeout 60 srun -w n1 bash -c 'echo "ran ${NCCL_IB_HCA-unset}"'
    equal "$output$stderr" "ran unset"
    [[ $(ferrule_log) == *"owned by uid 65534; chown root it"* ]]
}

@test "a mistake in the file is one line in the log that names it" {
    printf '[profile extra]\nsevice_level = 1\n' >>"$scratch/ferrule.conf"
    run -0 --separate-stderr timeout 60 srun -w n1 bash -c 'echo "ran ${NCCL_IB_HCA-unset}"'
    equal "$output$stderr" "ran unset"
    equal "$(ferrule_log | wc -l)" 1
}

@test "a file that was named and is not there is a line in the log" {
    plugstack n1 "config=$scratch/absent.conf"
    run -0 --separate-stderr timeout 60 srun -w n1 bash -c 'echo "ran ${NCCL_IB_HCA-unset}"'
    equal "$output$stderr" "ran unset"
    [[ $(ferrule_log) == *"absent.conf: No such file or directory"* ]]
}

@test "more than Slurm can carry is said in the log, and nothing stays half set" {
    {
        echo '[profile big]'
        echo '[environment big]'
        for i in {1..1000}; do
            echo "NCCL_TEST_$i = $(printf 'x%.0s' {1..150})"
        done
    } >"$scratch/ferrule.conf"
    run -0 --separate-stderr timeout 60 srun -w n1 env
    equal "$(grep -c ^NCCL_ <<<"$output")" 0
    [[ $(ferrule_log) == *"FERRULE_SET: Slurm did not take the value"* ]]
}
