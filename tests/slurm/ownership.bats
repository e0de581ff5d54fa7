#!/usr/bin/env bats
# The user's own value always wins; a value of Ferrule's never passes for one.

load cluster.bash

setup_file() { start_cluster; }
teardown_file() { stop_cluster; }
setup() { use_cluster; }

show='echo "$SLURMD_NODENAME ${NCCL_IB_HCA-unset}"'
export show

@test "what a script exports is kept on every node" {
    run batch -N2 -w n1,n3 <<'END'
export NCCL_IB_HCA=mine
srun -N2 bash -c "$show" | sort
END
    equal "$output" "n1 mine
n3 mine"
}

@test "what a script unsets is the node's default again" {
    run batch -N2 -w n1,n3 <<'END'
unset NCCL_IB_HCA
srun -N2 bash -c "$show" | sort
END
    equal "$output" "n1 $n1_hca
n3 $n3_hca"
}

@test "an empty value is the user's word too" {
    run batch -N2 -w n1,n3 <<'END'
export NCCL_IB_HCA=
srun -N2 bash -c "$show" | sort
END
    equal "$output" "n1 
n3 "
}

@test "the login shell's value reaches script and steps" {
    NCCL_IB_HCA=login run batch -N2 -w n1,n3 <<'END'
bash -c "$show"
srun -N2 bash -c "$show" | sort
END
    equal "$output" "n1 login
n1 login
n3 login"
}

@test "a whole group of variables is the user's when one of them is" {
    run batch -N1 -w n2 <<'END'
export NCCL_IB_GID_INDEX=3
srun bash -c 'echo "$NCCL_IB_GID_INDEX ${NCCL_IB_ADDR_FAMILY-unset} ${NCCL_IB_ROCE_VERSION_NUM-unset}"'
END
    equal "$output" "3 unset unset"
}

@test "a value of 100 KiB is the user's and arrives whole" {
    run batch -w n1 <<'END'
export NCCL_IB_HCA=$(printf 'x%.0s' {1..100000})
srun bash -c 'echo ${#NCCL_IB_HCA}'
END
    equal "$output" "100000"
}

@test "a task prolog runs later and wins" {
    printf '#!/bin/sh\necho export NCCL_IB_HCA=prolog\n' >"$scratch/work/prolog"
    chmod +x "$scratch/work/prolog"
    run -0 timeout 60 srun -w n1 --task-prolog="$scratch/work/prolog" bash -c "$show"
    equal "$output" "n1 prolog"
}

# sbatch's option, then what the script and its step must see; "own" is n1's own value.
@test "--export of sbatch and srun, in every form, with a value in the login shell" {
    export NCCL_IB_HCA=login
    local form script step
    while read -r form script step; do
        run batch -w n1 --export="$form" <<'END'
echo "${NCCL_IB_HCA-unset}"
srun --export=ALL /usr/bin/env | /bin/grep ^NCCL_IB_HCA=
END
        echo "sbatch --export=$form" >&2
        equal "$output" "${script/own/$n1_hca}
NCCL_IB_HCA=${step/own/$n1_hca}"
    done <<'END'
ALL login login
ALL,FOO=1 login login
FOO=1 own own
NONE own own
NIL own own
END
    for form in NONE NIL FOO=1; do
        run -0 timeout 60 srun -w n1 --export="$form" /usr/bin/env
        echo "srun --export=$form" >&2
        equal "$(value_of NCCL_IB_HCA <<<"$output")" "$n1_hca"
        equal "$(value_of PATH <<<"$output")" "unset"
    done
    run -0 timeout 60 srun -w n1 --export=ALL,FOO=1 /usr/bin/env
    equal "$(value_of NCCL_IB_HCA <<<"$output")" "login"
}
