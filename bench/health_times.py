"""health_times PROGRAM TREE FILES [ROUNDS]: one run of the health check against ibstatus, ibstat and a walk over the
GIDs, which see the tree as /sys in a mount namespace of their own, and against a bare loop over the same files. All take
turns in one run; medians and ratios are printed."""

import os
import statistics
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
SLOW_ROUNDS = 3


def seconds(command):
    began = time.perf_counter()
    subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
    return time.perf_counter() - began


def main():
    program, tree, files = sys.argv[1:4]
    rounds = int(sys.argv[4]) if len(sys.argv) > 4 else 31
    directory = os.path.dirname(program)
    check = [program, "--config", f"{os.path.dirname(tree)}/none.conf", "--sysroot", tree]
    state = f"{os.path.dirname(tree)}/health-history"
    in_tree = lambda *command: ["unshare", "--mount", "sh", "-c", 'mount --bind "$0/sys" /sys && exec "$@"', tree, *command]
    commands = {
        "ferrule-healthcheck": (check + ["--no-state"], rounds),
        "ferrule-healthcheck with its history": (check + ["--state-dir", state], rounds),
        "bare loop over the same files": ([f"{directory}/bench_bare_loop", files], rounds),
        "ibstat": (in_tree("ibstat"), rounds),
        "ibstatus": (in_tree("ibstatus"), SLOW_ROUNDS),
        "walk over the GIDs": (in_tree(f"{HERE}/walk_gids"), 1),
        "an empty mount namespace": (in_tree("true"), rounds),
    }
    times = {name: [] for name in commands}
    for turn in range(rounds):
        for name, (command, most) in commands.items():
            if turn < most:
                times[name].append(seconds(command))
    medians = {name: statistics.median(values) for name, values in times.items()}
    for name, value in medians.items():
        print(f"{name + ':':<40}{value * 1000:10.1f} ms  ({len(times[name])} runs, best {min(times[name]) * 1000:.1f})")
    own = medians["ferrule-healthcheck"]
    peers = medians["ibstat"] + medians["ibstatus"] + medians["walk over the GIDs"]
    print(f"{'the three tools against it:':<40}{peers / own:10.1f} times")
    print(f"{'it against the bare loop:':<40}{own / medians['bare loop over the same files']:10.2f} times")


main()
