#!/usr/bin/env bats
# ferrule-healthcheck as admins and Slurm call it: verdicts, reports, what it remembers between runs, and
# what bad input is told.

bats_require_minimum_version 1.5.0

setup_file() {
    export BATS_NO_PARALLELIZE_WITHIN_FILE=true
    export TREES=$BATS_FILE_TMPDIR MACHINES=$BATS_TEST_DIRNAME/../machines
    local machine
    for machine in dgx-h100-ib ib-symbol-errors-later ib-quiet-later ib-port-polling ib-state-unreadable \
        ib-firmware-differs memlock-64k cx7-and-cx6dx-roce roce-reboot-later roce-port-disabled \
        gid-link-local-only no-hca; do
        "$FERRULE_CAPTURE" --unpack "$MACHINES/$machine.machine" "$TREES/$machine"
    done
    # Not what this machine may have in /etc/ferrule.
    touch "$TREES/none.conf"
}

setup() {
    state=$BATS_TEST_TMPDIR/state
}

# ferrule-healthcheck on machine $1.
health() {
    local machine=$1
    shift
    [[ "$*" == *--config* ]] || set -- --config "$TREES/none.conf" "$@"
    env -i "$FERRULE_HEALTHCHECK" --sysroot "$TREES/$machine" "$@"
}

config() {
    cat >"$BATS_TEST_TMPDIR/ferrule.conf"
}

@test "the exit status is the verdict: ok, warning, critical, unknown" {
    run -0 health dgx-h100-ib
    [[ $output == "n1: OK - 0 failures, 0 unknown, "* ]]
    run -1 health memlock-64k
    [[ $output == *": WARNING - 1 failure, "*"WARN     memlock  node  65536 bytes"* ]]
    run -2 health ib-port-polling
    [[ $output == *": CRITICAL - "*"FAIL     port-state"*"mlx5_3/1"*"DOWN/Polling"* ]]
    run -3 health ib-state-unreadable
    [[ $output == *": UNKNOWN - 0 failures, "* ]]
    run -0 health no-hca
}

@test "everything is shown with --verbose, and colour only when it is asked for" {
    run -0 health dgx-h100-ib -v
    [[ $output == *"pass     port-state"* && $output == *"n/a "* && $output != *$'\e'* ]]
    run -0 health dgx-h100-ib --colour always
    [[ $output == $'n1: \e[1;32mOK\e[0m - '* ]]
}

@test "JSON is JSON, with the documented keys" {
    run -2 health ib-port-polling --json
    python3 -c '
import json, sys
report = json.loads(sys.argv[1])
assert list(report) == ["version", "node", "profile", "verdict", "time", "boot_id", "uptime_ms",
                        "duration_ms", "findings"], list(report)
assert report["verdict"] == "CRITICAL" and report["node"] == "n1"
fail = report["findings"][0]
assert list(fail) == ["check", "object", "outcome", "seen", "severity", "wanted", "rule", "remedy"], fail
assert fail["check"] == "port-state" and fail["object"] == "mlx5_3/1"
assert {f["outcome"] for f in report["findings"]} <= {"fail", "unknown", "pass", "not applicable"}' "$output"
}

@test "metrics are Prometheus' text format, no sample twice" {
    health ib-port-polling --metrics >"$BATS_TEST_TMPDIR/metrics" || [[ $? == 2 ]]
    python3 - "$BATS_TEST_TMPDIR/metrics" <<'PY'
import re, sys
sample = re.compile(r'([a-z_]+)(\{[a-z_]+="(?:[^"\\\n]|\\[\\"n])*"(?:,[a-z_]+="(?:[^"\\\n]|\\[\\"n])*")*\})? (-?[0-9.]+)')
seen, typed = set(), set()
for line in open(sys.argv[1], encoding="utf-8").read().splitlines():
    if line.startswith("# TYPE "):
        typed.add(line.split()[2])
    elif not line.startswith("# HELP "):
        match = sample.fullmatch(line)
        assert match and match[1] in typed, line
        assert line.rsplit(" ", 1)[0] not in seen, line
        seen.add(line.rsplit(" ", 1)[0])
assert "ferrule_health_verdict" in seen
PY
    grep -qx 'ferrule_health_verdict 2' "$BATS_TEST_TMPDIR/metrics"
    grep -qx 'ferrule_health_failure{check="port-state",object="mlx5_3/1"} 2' "$BATS_TEST_TMPDIR/metrics"
    if [[ -n $(type -P promtool) ]]; then promtool check metrics <"$BATS_TEST_TMPDIR/metrics"; fi
}

@test "a textfile is replaced whole, and all may read it" {
    local file=$BATS_TEST_TMPDIR/collector/ferrule.prom
    mkdir "${file%/*}"
    umask 077
    run -0 health dgx-h100-ib --textfile "$file"
    [[ $(stat -c %a "$file") == 644 ]]
    grep -qx 'ferrule_health_verdict 0' "$file"
    local inode open=$BATS_TEST_TMPDIR/open
    inode=$(stat -c %i "$file")
    exec 7<"$file"
    run -2 health ib-port-polling --textfile "$file"
    # Who had it open reads the old one to its end.
    cat <&7 >"$open"
    exec 7<&-
    [[ $(stat -c %i "$file") != "$inode" ]]
    grep -qx 'ferrule_health_verdict 0' "$open"
    grep -qx 'ferrule_health_verdict 2' "$file"
    [[ $(ls "${file%/*}") == ferrule.prom ]]
    # What a run left that was killed is taken by the next.
    echo half >"$file.new"
    run -0 health dgx-h100-ib --textfile "$file"
    [[ $(ls "${file%/*}") == ferrule.prom && $(tail -n 1 "$file") != half ]]
    # One that is at work on it is left in peace.
    exec 8>"$file.new"
    flock 8
    run -0 --separate-stderr health dgx-h100-ib --textfile "$file"
    [[ $stderr == *"ferrule.prom.new: another run is writing it" ]]
    exec 8>&-
    rm "$file.new"
    # A link there leads nowhere.
    ln -s "$open" "$file.new"
    run -0 health dgx-h100-ib --textfile "$file"
    grep -qx 'ferrule_health_verdict 0' "$open" && [[ ! -L $file && $(ls "${file%/*}") == ferrule.prom ]]
    run -0 --separate-stderr health dgx-h100-ib --textfile "$BATS_TEST_TMPDIR/no/such/x.prom"
    [[ $output == "n1: OK"* && $stderr == *"/no/such/x.prom: No such file or directory" ]]
}

@test "checks are listed and explained" {
    run -0 "$FERRULE_HEALTHCHECK" --list
    [[ ${#lines[@]} -gt 50 && $output == *"link-rate "*"Does every rail run at its rate?"* ]]
    run -0 "$FERRULE_HEALTHCHECK" --explain link-rate
    [[ $output == "link-rate: Does every rail run at its rate?"*"keys:     rate" ]]
    run -0 "$FERRULE_HEALTHCHECK" --help
    run -0 "$FERRULE_HEALTHCHECK" --version
    [[ $output == "ferrule-healthcheck "[0-9]* ]]
}

@test "only the named checks run" {
    run -0 health ib-port-polling --only link-rate,acs -v
    [[ $output == *link-rate* && $output == *acs* && $output != *port-state* ]]
}

@test "misuse is 3, and says what is wrong" {
    run -3 health dgx-h100-ib --only link-rates
    [[ $output == *'no check is called "link-rates", see --list'* ]]
    run -3 health dgx-h100-ib --explain no-such
    run -3 health dgx-h100-ib --no-such-option
    run -3 health dgx-h100-ib stray
    [[ $output == *'"stray" is neither an option nor a source behind --learn'* ]]
    run -3 health dgx-h100-ib --json --metrics
    run -3 health dgx-h100-ib --diff --list
    run -3 health dgx-h100-ib --timeout 700
    run -3 health dgx-h100-ib --learn
    [[ $output == *"name what to learn from behind --learn"* ]]
    run -3 health dgx-h100-ib --profile nobody
    [[ $output == *'there is no profile "nobody"'* ]]
}

@test "what cannot be read is 3, in one sentence with the name" {
    run -3 --separate-stderr "$FERRULE_HEALTHCHECK" --sysroot /no/such/tree
    [[ $output == "" && $stderr == "ferrule-healthcheck: /no/such/tree: No such file or directory" ]]
    run -3 --separate-stderr "$FERRULE_HEALTHCHECK" --config "$TREES/none.conf" --sysroot "$BATS_TEST_TMPDIR"
    [[ $stderr == *"no tree of a node: sys/class is not in it" ]]
    run -3 --separate-stderr bash -c '"$0" --sysroot "$1" --config "$2" >/dev/full' "$FERRULE_HEALTHCHECK" "$TREES/no-hca" \
        "$TREES/none.conf"
    [[ $stderr == "ferrule-healthcheck: standard output cannot be written" ]]
}

@test "the profile decides, and is quoted with its line" {
    config <<'CONF'
[profile hopper]
rate = 800
skip = memlock
CONF
    run -2 health memlock-64k --config "$BATS_TEST_TMPDIR/ferrule.conf"
    [[ $output == *"200 Gb/s; wanted 800 Gb/s [ferrule.conf:2 (rate)]"* && $output != *memlock* ]]
}

@test "--check-config names the profile of a node and its lines" {
    config <<'CONF'
[profile base]
rate = 400
[profile hopper]
inherit = base
nodes = n[1-4]
mtu = 9000
CONF
    run -0 health dgx-h100-ib --check-config --config "$BATS_TEST_TMPDIR/ferrule.conf"
    [[ $output == "n1: profile hopper of $BATS_TEST_TMPDIR/ferrule.conf"* ]]
    [[ $output == *"line 2: rate"* && $output == *"line 6: mtu"* ]]
    run -0 health dgx-h100-ib --check-config --config "$BATS_TEST_TMPDIR/ferrule.conf" --node x9
    [[ $output == "x9: profile base of "* ]]
    run -0 health dgx-h100-ib --check-config
    [[ $output == "n1: no profile is for it"* ]]
}

@test "--check-config refuses a wrong key, and a check or a counter that there is not" {
    config <<<$'[profile a]\nrat = 400'
    run -3 health dgx-h100-ib --check-config --config "$BATS_TEST_TMPDIR/ferrule.conf"
    [[ $output == *'ferrule.conf:2: unknown key "rat"; the keys of a profile are'* ]]
    config <<<$'[profile a]\nskip = link-rates'
    run -3 health dgx-h100-ib --check-config --config "$BATS_TEST_TMPDIR/ferrule.conf"
    [[ $output == *'ferrule.conf:2: profile a, skip: "link-rates" is no check; see --list'* ]]
    config <<<$'[profile a]\nlimits = symbols:1/1h'
    run -3 health dgx-h100-ib --check-config --config "$BATS_TEST_TMPDIR/ferrule.conf"
    [[ $output == *'ferrule.conf:2: profile a, limits: "symbols" is no counter; ferrule-checks(7) lists them'* ]]
    config <<<$'[profile a]\nlimits = link_down:0/1h'
    run -3 health dgx-h100-ib --check-config --config "$BATS_TEST_TMPDIR/ferrule.conf"
    [[ $output == *'"link_down" is judged by the key flaps'* ]]
    local line
    for line in 'flaps = 0/5m' 'mtu = 0' 'active_mtu = 3000' 'width = 3' 'firmware = 28.x' 'dscp_map = 26:3, 26:4' \
        'ets = 0:ets:60, 3:ets:60' 'limits = symbol_error:1/1h, symbol_error:5/1h'; do
        config <<<$'[profile a]\n'"$line"
        run -3 health dgx-h100-ib --check-config --config "$BATS_TEST_TMPDIR/ferrule.conf"
        [[ $output == *'ferrule.conf:2: '*" is no value of \"${line%% *}\""* || $output == *"ferrule.conf:2: "* ]]
    done
}

@test "a configuration that others may write, or that root does not own, is refused with the remedy" {
    local conf=$BATS_TEST_TMPDIR/ferrule.conf
    config <<<'[profile a]'
    chmod 666 "$conf"
    run -3 health dgx-h100-ib --config "$conf"
    [[ $output == *"chmod go-w it"* ]]
    if ((EUID != 0)); then skip "takes root to give a file away"; fi
    chmod 644 "$conf"
    chown 65534 "$conf"
    run -3 health dgx-h100-ib --config "$conf"
    [[ $output == *"owned by uid 65534; chown root it"* ]]
}

@test "a profile is learnt from archives and overlays, deviants are named, and the node passes with it" {
    "$FERRULE_HEALTHCHECK" --learn "$MACHINES/dgx-h100-ib.machine" "$MACHINES/ib-firmware-differs.machine" \
        "$TREES/ib-quiet-later" >"$BATS_TEST_TMPDIR/ferrule.conf"
    grep -q '^rate = 400$' "$BATS_TEST_TMPDIR/ferrule.conf"
    grep -q '^# [0-9]* of [0-9]* rails; n1 mlx5_[0-9]*/1 has ' "$BATS_TEST_TMPDIR/ferrule.conf"
    run -0 health dgx-h100-ib --config "$BATS_TEST_TMPDIR/ferrule.conf"
    [[ $output == *"(profile learnt, "* ]]
    run -2 health ib-firmware-differs --config "$BATS_TEST_TMPDIR/ferrule.conf"
    [[ $output == *"FAIL     firmware"* ]]
}

@test "what cannot be learnt from is an error with its name, and no folder stays" {
    mkdir "$BATS_TEST_TMPDIR/tmp"
    TMPDIR=$BATS_TEST_TMPDIR/tmp run -3 "$FERRULE_HEALTHCHECK" --learn /no/such.machine
    [[ $output == *"/no/such.machine"* ]]
    TMPDIR=$BATS_TEST_TMPDIR/tmp run -0 "$FERRULE_HEALTHCHECK" --learn "$MACHINES/no-hca.machine"
    [[ $output == *"# No rail was found on any of them."* ]]
    [[ $(ls "$BATS_TEST_TMPDIR/tmp") == "" ]]
}

@test "a counter that grows between two runs is judged by its growth" {
    run -0 --separate-stderr health dgx-h100-ib --state-dir "$state"
    [[ $stderr == "" ]]
    run -2 --separate-stderr health ib-symbol-errors-later --state-dir "$state"
    [[ $stderr == "" && $output == *"FAIL     link-errors  mlx5_3/1"*"symbol errors in 1h"* ]]
    [[ $(ls "$state") == $'health.history\nlock' ]]
    [[ $(stat -c %a "$state/health.history") == 644 ]]
    # The first run alone says nothing, however large the counter.
    run -0 health ib-symbol-errors-later --state-dir "$BATS_TEST_TMPDIR/other"
    run -0 health ib-symbol-errors-later
}

@test "a quiet minute later all is well" {
    run -0 health dgx-h100-ib --state-dir "$state"
    run -0 health ib-quiet-later --state-dir "$state"
}

@test "a reboot begins anew" {
    run health cx7-and-cx6dx-roce --state-dir "$state"
    local before=$status
    run -"$before" --separate-stderr health roce-reboot-later --state-dir "$state"
    [[ $stderr == "" ]]
    grep -q "$(cat "$TREES/roce-reboot-later/proc/sys/kernel/random/boot_id")" "$state/health.history"
}

@test "a torn history is set aside with one warning, and a new one is written" {
    run -0 health dgx-h100-ib --state-dir "$state"
    truncate -s -5 "$state/health.history"
    run -0 --separate-stderr health dgx-h100-ib --state-dir "$state"
    [[ ${#stderr_lines[@]} == 1 ]]
    [[ $stderr == "ferrule-healthcheck: $state/health.history was set aside as health.history.broken: "* ]]
    [[ $(ls "$state") == $'health.history\nhealth.history.broken\nlock' ]]
    run -2 --separate-stderr health ib-symbol-errors-later --state-dir "$state"
    [[ $stderr == "" ]]
}

@test "while another run has the lock this one is 3 and names it" {
    run -0 health dgx-h100-ib --state-dir "$state"
    exec 8<>"$state/lock"
    flock -n 8
    echo 4711 >"$state/lock"
    run -3 --separate-stderr health dgx-h100-ib --state-dir "$state"
    [[ $output == "" && $stderr == *"another run (pid 4711) has been at it for "*"/proc/4711/stack" ]]
    exec 8>&-
    run -0 health dgx-h100-ib --state-dir "$state"
}

@test "a rail of the last good run that is one no more is found, and that run stays the last good one" {
    run -0 health cx7-and-cx6dx-roce --state-dir "$state"
    run -2 health roce-port-disabled --state-dir "$state"
    [[ $output == *"port-state"*"mlx5_1/1"* || $output == *"rails "*"mlx5_1/1"*"it was one in the last good run"* ]]
    run -1 health gid-link-local-only --state-dir "$state"
    [[ $output == *"WARN     rails"*"mlx5_0/1"*"wanted a rail [it was one in the last good run]"* ]]
    run -0 health gid-link-local-only --state-dir "$state" --diff
    [[ $output == *"since the last good run:"*"mlx5_0/1 rail: yes -> "* ]]
    run -0 health cx7-and-cx6dx-roce --state-dir "$state"
    # Unused on purpose.
    config <<<$'[profile roce]\nunused = mlx5_0, mlx5_1'
    run -0 health gid-link-local-only --state-dir "$state" --config "$BATS_TEST_TMPDIR/ferrule.conf"
}

@test "a node none of whose RDMA ports can be a rail is unknown, and each port says why" {
    run -3 health gid-link-local-only -v
    [[ $output == *"UNKNOWN  rails  "*"node  "*"none of 4 RDMA ports is a rail"* ]]
    [[ $output == *"n/a      rails"*"mlx5_0/1"*"no rail: "* ]]
}

@test "--diff says what changed since the last run and the last good one" {
    run -0 health dgx-h100-ib --state-dir "$state" --diff
    [[ $output == $'the last run: none is remembered\nthe last good run: none is remembered' ]]
    # It shows, and is no run of which the next one knows.
    run -0 health dgx-h100-ib --state-dir "$state" --diff
    [[ $output == $'the last run: none is remembered\nthe last good run: none is remembered' ]]
    run -0 health dgx-h100-ib --state-dir "$state"
    run -0 health dgx-h100-ib --state-dir "$state" --diff
    [[ $output == $'since the last run:\nsince the last good run:' ]]
    run -1 health ib-port-polling --state-dir "$state" --diff
    [[ $output == *"mlx5_3/1 state: ACTIVE -> DOWN"*"since the last good run:"*"mlx5_3/1 state: ACTIVE -> DOWN"* ]]
    run -2 health ib-port-polling --state-dir "$state"
    run -0 health ib-port-polling --state-dir "$state" --diff
    [[ $output == $'since the last run:\nsince the last good run:\n'*"mlx5_3/1 state: ACTIVE -> DOWN"* ]]
}

@test "a run of a few checks is no good run" {
    run -0 health ib-port-polling --state-dir "$state" --only acs
    run -0 health dgx-h100-ib --state-dir "$state" --diff
    [[ $output == $'the last run: none is remembered\nthe last good run: none is remembered' ]]
}

@test "a state folder that cannot be used is a warning, and the report comes all the same" {
    touch "$BATS_TEST_TMPDIR/file"
    run -0 --separate-stderr health dgx-h100-ib --state-dir "$BATS_TEST_TMPDIR/file/state"
    [[ $output == "n1: OK"* && ${#stderr_lines[@]} == 1 ]]
    [[ $stderr == *"/file/state: Not a directory; this run remembers nothing" ]]
    mkdir -m 777 "$state"
    run -0 --separate-stderr health dgx-h100-ib --state-dir "$state"
    [[ $output == "n1: OK"* && $stderr == *"chmod go-w it; this run remembers nothing" ]]
    [[ $(ls "$state") == "" ]]
}

@test "a captured tree without a state folder is left as it is, and nothing is remembered" {
    touch "$BATS_TEST_TMPDIR/before"
    local live
    live=$(ls -la --time-style=full-iso /var/lib/ferrule 2>&1 || true)
    run -0 health dgx-h100-ib
    [[ $(find "$TREES/dgx-h100-ib" -newer "$BATS_TEST_TMPDIR/before") == "" ]]
    [[ $(ls -la --time-style=full-iso /var/lib/ferrule 2>&1) == "$live" ]]
    run -0 health dgx-h100-ib --no-state
    run -3 health dgx-h100-ib --state-dir "$state" --no-state
    [[ ! -e $state ]]
}

# What lldpd says of a switch port that takes frames of $1 bytes, for interface $2.
lldpd_says() {
    sed -e "s/\"9234\"/\"$1\"/" -e "s/near0/$2/" \
        "$BATS_TEST_DIRNAME/../unit/read/recorded/lldpd-one.json" >"$BATS_TEST_TMPDIR/lldpd.json"
}

@test "what lldpd says of the switch is judged as what a frame says; one that is old or broken is unknown" {
    local lldpd=(--lldpd "$BATS_TEST_TMPDIR/lldpd.json" --only switch-mtu -v)
    cp -r "$TREES/cx7-and-cx6dx-roce" "$TREES/silent"
    rm -r "$TREES/silent/ferrule/lldp"
    run -0 health silent --only switch-mtu -v
    [[ $output == *"n/a "*"nothing heard of the switch"* ]]
    lldpd_says 9234 enp75s0f0np0
    run -3 health silent "${lldpd[@]}"
    [[ $output == *"pass     switch-mtu  enp75s0f0np0"*"unlike on other rails"* ]] ||
        [[ $output == *"unlike on other rails"*"pass     switch-mtu  enp75s0f0np0"* ]]
    lldpd_says 1518 enp75s0f0np0
    run -2 health silent "${lldpd[@]}"
    [[ $output == *"switch-mtu"*"enp75s0f0np0"*1518* ]]

    touch --date '11 minutes ago' "$BATS_TEST_TMPDIR/lldpd.json"
    run -3 health silent "${lldpd[@]}"
    [[ $output == *"lldpd.json: older than ten minutes"* ]]
    echo '{"lldp": ' >"$BATS_TEST_TMPDIR/lldpd.json"
    run -3 health silent "${lldpd[@]}"
    chmod o+w "$BATS_TEST_TMPDIR/lldpd.json"
    run -3 health silent "${lldpd[@]}"
    [[ $output == *"writable by others than its owner"* ]]
}

@test "a run ends by its deadline, says so, and leaves no process" {
    run -3 --separate-stderr bash -c 'set -m; timeout 5 "$0" "$@" & wait $! || status=$?
        pgrep -g $! && exit 99
        exit $status' "$FERRULE_HEALTHCHECK" --config "$TREES/none.conf" --sysroot "$TREES/dgx-h100-ib" --timeout 0.001
    # What was ready in time is there.
    [[ $stderr == *"the node could not be read; its reader ended at: "* ||
        $output == "n1: UNKNOWN - 0 failures, "*"not read within 1 ms: the node is busy"* ]]
}

@test "a pipe in a tree does not hold it" {
    cp -a "$TREES/dgx-h100-ib" "$BATS_TEST_TMPDIR/tree"
    rm "$BATS_TEST_TMPDIR/tree/sys/class/infiniband/mlx5_3/ports/1/state"
    mkfifo "$BATS_TEST_TMPDIR/tree/sys/class/infiniband/mlx5_3/ports/1/state"
    run timeout 10 env -i "$FERRULE_HEALTHCHECK" --config "$TREES/none.conf" --sysroot "$BATS_TEST_TMPDIR/tree"
    [[ $status == 3 && $output == *"UNKNOWN  port-state"*"mlx5_3/1"* ]]
}

@test "an ordinary user may call it" {
    if ((EUID != 0)); then skip "already one"; fi
    local tree
    tree=$(mktemp -d)
    "$FERRULE_CAPTURE" --unpack "$MACHINES/dgx-h100-ib.machine" "$tree"
    chmod 755 "$tree"
    run runuser -u nobody -- env -i "$FERRULE_HEALTHCHECK" --sysroot "$tree"
    rm -rf "$tree"
    [[ $status -eq 0 && $output == "n1: OK"* ]]
}

@test "on this machine itself it answers, whatever is here" {
    run "$FERRULE_HEALTHCHECK" --no-state --config "$TREES/none.conf"
    [[ $status -le 3 && $output == *": "*" failure"* ]]
}
