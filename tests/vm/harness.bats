#!/usr/bin/env bats
# The machine itself: what comes through, and that nothing stays.

load vm.bash

# Its scratch folders are below a folder of the test's, so that what remains can be told.
setup() { export TMPDIR=$BATS_TEST_TMPDIR/scratch && mkdir "$TMPDIR"; }

nothing_remains() {
    equal "$(ls "$TMPDIR")" ""
    equal "$(grep -lsF "$TMPDIR" /proc/[0-9]*/cmdline)" ""
}

@test "output, exit status, arguments and files come through, and the host is as it was" {
    mkdir "$BATS_TEST_TMPDIR/out"
    run -7 --separate-stderr in_vm --nics 2 --out "$BATS_TEST_TMPDIR/out" -- 'one two' '*' <<'END'
echo "$(id -un) on $(uname -n): <$1> <$2>"
echo 'to standard error' >&2
modprobe virtio_net
eventually test -e /sys/class/net/eth1
ls /sys/class/net
mkdir "$OUT/folder"
head -c 3000000 /dev/zero >"$OUT/folder/file"
touch /etc/made-in-the-guest
exit 7
END
    equal "$output" "root on vm: <one two> <*>
to standard error
eth0
eth1
lo"
    equal "$stderr" ""
    equal "$(stat -c %s "$BATS_TEST_TMPDIR/out/folder/file")" 3000000
    [[ ! -e /etc/made-in-the-guest ]]
    nothing_remains
}

@test "a script stops at the first command that fails" {
    run -1 in_vm <<<'echo first; false; echo second'
    equal "$output" first
}

@test "a guest that hangs is ended at the limit" {
    run -124 --separate-stderr in_vm --limit 10 <<<'sleep 1000'
    [[ $stderr == *"vm: no end after 10 s: ended" ]]
    nothing_remains
}

@test "ended from outside, it takes the machine along" {
    local signal machine
    for signal in TERM KILL; do
        echo 'sleep 1000' >"$BATS_TEST_TMPDIR/script"
        "$here/vm" run "$BATS_TEST_TMPDIR/script" 3>&- &
        machine=$!
        for _ in {1..200}; do
            grep -qszF "$TMPDIR" /proc/[0-9]*/cmdline && break
            sleep 0.1
        done
        kill -s "$signal" "$machine"
        wait "$machine" || true
        [[ $signal == KILL ]] || nothing_remains
    done
    sleep 0.5
    rm -r "${TMPDIR:?}"/*
    nothing_remains
}

@test "a guest that ends without a word is told with its console" {
    run -125 --separate-stderr in_vm <<<'echo c >/proc/sysrq-trigger'
    [[ $stderr == *"write_sysrq_trigger"*"vm: the guest ended without an exit status" ]]
}

@test "where it cannot run it says so in one sentence, with 77" {
    mkdir "$BATS_TEST_TMPDIR/bin" "$BATS_TEST_TMPDIR/none"
    ln -s "$(type -P realpath)" "$BATS_TEST_TMPDIR/bin/realpath"
    run -77 env PATH="$BATS_TEST_TMPDIR/bin" "$here/vm" prepare
    equal "$output" "skipped: qemu-system-x86_64 is not installed"
    # An apt that knows no package.
    printf '%s "%s";\n' Dir::State "$BATS_TEST_TMPDIR/none" Dir::Cache "$BATS_TEST_TMPDIR/none" \
        Dir::Etc "$BATS_TEST_TMPDIR/none" >"$BATS_TEST_TMPDIR/apt.conf"
    run -77 --separate-stderr env APT_CONFIG="$BATS_TEST_TMPDIR/apt.conf" "$here/vm" prepare --cache "$BATS_TEST_TMPDIR/cache"
    equal "$output" "skipped: apt cannot fetch the kernel that linux-image-amd64 depends on"
}
