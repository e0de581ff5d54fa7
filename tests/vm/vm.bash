# What the suites with a virtual machine share. FERRULE_ENV names what was built; ctest sets it.

bats_require_minimum_version 1.5.0

here=$(cd "$BATS_TEST_DIRNAME" && pwd)

# in_vm [OPTION of vm run...] [-- ARG...] <SCRIPT: runs it in a machine, with guest.bash.
in_vm() {
    local options=() script
    while (($#)) && [[ $1 != -- ]]; do
        options+=("$1")
        shift
    done
    script=$(mktemp "$BATS_FILE_TMPDIR/script-XXXXXX")
    { echo "source '$here/guest.bash'" && cat; } >"$script"
    "$here/vm" run "${options[@]}" "$script" "${@:2}"
}

equal() {
    if [[ $1 != "$2" ]]; then
        printf 'got:    %s\nwanted: %s\n' "$1" "$2" >&2
        return 1
    fi
}
