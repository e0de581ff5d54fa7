#!/usr/bin/env bats
# --fabric, --fabric-explain, silence, and what a user's environment cannot do.

load cluster.bash

setup_file() { start_cluster; }
teardown_file() { stop_cluster; }
setup() { use_cluster; }

@test "a wrong value is refused before the job exists" {
    run -255 timeout 60 srun --fabric=fast true
    [[ $output == *"Invalid --fabric argument: fast"* ]]
}

@test "--help shows both options" {
    run -0 srun --help
    [[ $output == *"--fabric=auto|off|tcp"* && $output == *"--fabric-explain"* ]]
}

@test "--fabric=off sets nothing and takes away what the script got" {
    run -0 --separate-stderr timeout 60 srun -w n1 --fabric=off env
    equal "$(grep -c -E '^(NCCL|UCX|GLOO|FERRULE_SET)' <<<"$output")" 0
    run batch -w n1 <<'END'
srun --fabric=off env | grep -c -E '^(NCCL|UCX|GLOO|FERRULE_SET)'
END
    equal "$output" 0
}

@test "--fabric=tcp given to sbatch reaches script and steps" {
    run batch -w n1 --fabric=tcp <<'END'
echo "$NCCL_IB_DISABLE ${NCCL_IB_HCA-unset}"
srun bash -c 'echo "$NCCL_IB_DISABLE ${NCCL_IB_HCA-unset} $NCCL_SOCKET_IFNAME $UCX_NET_DEVICES"'
END
    equal "$output" "1 unset
1 unset =eno1 eno1"
}

@test "--fabric-explain goes to standard error, once for each node" {
    run -0 --separate-stderr timeout 60 srun -N2 -w n1,n4 --ntasks-per-node=2 --fabric-explain echo out
    equal "$output" "out
out
out
out"
    equal "$(grep '^node ' <<<"$stderr" | sort)" "node n1: fabric InfiniBand, profile none, mode auto
node n4: fabric InfiniBand, profile none, mode auto"
    [[ $stderr == *"mlx5_4:1 0000:4d:00.0 ibp77s0"*"not ACTIVE: DOWN/Polling"* ]]
    [[ $stderr == *"NCCL_SOCKET_IFNAME"*"route to n4 (10.77.0.14)"* ]]
}

@test "--fabric-explain tells a user what is kept" {
    NCCL_IB_HCA=mine run -0 --separate-stderr timeout 60 srun -w n4 --fabric-explain true
    [[ $stderr == *'"mine" is the user'"'"'s own; the plan had =mlx5_0:1,mlx5_3:1'* ]]
}

@test "unless asked for, nothing is ever written to a user" {
    run -0 --separate-stderr timeout 60 sbatch --parsable --wait -w n1 -o "$scratch/work/silent.out" --wrap 'srun true'
    [[ $output =~ ^[0-9]+$ ]]
    equal "$stderr" ""
    equal "$(cat "$scratch/work/silent.out")" ""
    run -0 --separate-stderr timeout 60 srun -N2 -w n1,n3 true
    equal "$output$stderr" ""
    equal "$(ferrule_log)" ""
}

@test "a user's library path does not touch the plugin" {
    mkdir -p "$scratch/work/lib"
    echo 'not a library' >"$scratch/work/lib/libstdc++.so.6"
    cp "$scratch/work/lib/libstdc++.so.6" "$scratch/work/lib/libgcc_s.so.1"
    run -0 --separate-stderr env LD_LIBRARY_PATH="$scratch/work/lib" timeout 60 srun -w n3 bash -c 'echo "$NCCL_IB_HCA"'
    equal "$output$stderr" "$n3_hca"
}

@test "what a user's environment says of the job steers nothing but that user's own values" {
    run -0 --separate-stderr env FERRULE_SET='PATH=/bin;%%%;=' timeout 60 srun -w n3 \
        env -u SLURM_CONF bash -c 'echo "$NCCL_IB_HCA"'
    equal "$output" "$n3_hca"
    equal "$(ferrule_log)" ""
}

@test "an editor's temporary file stops no job where files are included by name" {
    mkdir -p "$scratch/plugstack.conf.d"
    cp "$scratch/plugstack.d/n3.conf" "$scratch/plugstack.conf.d/ferrule.conf"
    touch "$scratch/plugstack.conf.d/ferrule.conf.save"
    chmod 600 "$scratch/plugstack.conf.d/ferrule.conf.save"
    local as_user=(runuser -u nobody -- timeout 60 env SLURM_CONF="$SLURM_CONF" srun --chdir=/ -w n3)
    for name in n3 client; do
        echo "include $scratch/plugstack.conf.d/ferrule.conf" >"$scratch/plugstack.d/$name.conf"
    done
    run -0 --separate-stderr "${as_user[@]}" bash -c 'echo "$NCCL_IB_HCA"'
    equal "$output$stderr" "$n3_hca"
    # The trap itself: a pattern that takes the temporary file too.
    echo "include $scratch/plugstack.conf.d/*" >"$scratch/plugstack.d/client.conf"
    run "${as_user[@]}" true
    echo "optional $FERRULE_PLUGIN" >"$scratch/plugstack.d/client.conf"
    plugstack n3
    [[ $status -ne 0 ]]
}

@test "a new file put in place by rename does not disturb a running step" {
    cp "$FERRULE_PLUGIN" "$scratch/spank_copy.so"
    plugin=$scratch/spank_copy.so plugstack n3
    timeout 60 srun -w n3 bash -c 'sleep 2; echo "$NCCL_IB_HCA"' >"$scratch/work/running.out" &
    sleep 1
    cp "$FERRULE_PLUGIN" "$scratch/spank_copy.so.new"
    mv "$scratch/spank_copy.so.new" "$scratch/spank_copy.so"
    wait $!
    equal "$(cat "$scratch/work/running.out")" "$n3_hca"
    plugstack n3
}
