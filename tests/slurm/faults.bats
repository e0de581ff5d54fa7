#!/usr/bin/env bats
# A failure inside any callback, in any process of Slurm's, never touches a job. The plugin under test
# is the real one with a session that throws where it is told to.

load cluster.bash

setup_file() {
    plugin=$FERRULE_THROWING_PLUGIN start_cluster
}
teardown_file() { stop_cluster; }
setup() { use_cluster; }

# Throws in callback $1 on n1, n3 and in srun and sbatch.
throw_in() {
    local node
    for node in n1 n3 client; do
        echo "optional $FERRULE_THROWING_PLUGIN throw=$1 what=$2" >"$scratch/plugstack.d/$node.conf"
    done
}

@test "srun, sbatch and salloc run their jobs whatever is thrown wherever" {
    local callback what
    for callback in init option init_post_opt task_init; do
        for what in exception allocation number; do
            throw_in "$callback" "$what"
            echo "throwing an $what in $callback" >&2
            run -0 --separate-stderr timeout 60 srun -N2 -w n1,n3 --fabric-explain echo ran
            equal "$output" "ran
ran"
        done
        run batch -w n1 <<<'echo batch; srun --fabric-explain echo step'
        # What task_init logs reaches the user: behind slurmstepd's name, or behind the time in 26.05.
        equal "$(grep -v ' error: ferrule: ' <<<"$output")" "batch
step"
        run -0 --separate-stderr timeout 60 salloc -w n1 --fabric-explain srun echo allocated
        equal "$output" "allocated"
    done
    equal "$(sinfo -h -o %T)" idle
}

@test "a failure on a node is one line in its log" {
    throw_in init_post_opt exception
    run -0 --separate-stderr timeout 60 srun -w n1 true
    equal "$stderr" ""
    equal "$(ferrule_log | sed 's/.*ferrule: //')" \
        "init_post_opt: thrown for a test; the job runs with what is set so far"
}
