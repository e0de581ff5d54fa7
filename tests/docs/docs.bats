#!/usr/bin/env bats
# The pages of docs/: that they can be read and are installed, and that they tell what the programs have.

bats_require_minimum_version 1.5.0

setup_file() {
    export BATS_NO_PARALLELIZE_WITHIN_FILE=true
    export ROOT=$BATS_TEST_DIRNAME/../..
}

@test "groff finds nothing to warn of in a manual page" {
    local page
    for page in "$ROOT"/docs/man/*; do
        run groff -man -ww -z -Tutf8 "$page"
        [[ $status == 0 && -z $output ]] || { echo "$page: $output" && false; }
    done
}

@test "every manual page is installed, in the section of its name" {
    local page
    for page in "$ROOT"/docs/man/*; do
        page=${page##*/}
        grep -qE "^install\(FILES .*\bman/${page//./\\.}\b.* DESTINATION .*/man${page##*.}\)" "$ROOT/docs/CMakeLists.txt" ||
            { echo "not installed: $page" && false; }
        grep -qE "^\.TH [A-Z_.-]+ ${page##*.} " "$ROOT/docs/man/$page"
    done
}

@test "a page of ours that another one refers to is there" {
    local reference
    while read -r reference; do
        [[ -e $ROOT/docs/man/$reference ]] || { echo "no page $reference" && false; }
    done < <(grep -rhoE '^\.BR [a-z_.-]*ferrule[a-z_.-]* \([0-9]\)' "$ROOT/docs/man" |
        sed -E 's/^\.BR ([^ ]+) \(([0-9])\)/\1.\2/' | sort -u)
}

# The long options of a program, from its own help.
options_of() {
    "$1" --help | grep -oE '^ *(-[a-z],)?--[a-z-]+' | grep -oE '\-\-[a-z-]+' | sort -u
}

@test "the page of ferrule-healthcheck has all of its options, and no others" {
    local page=$ROOT/docs/man/ferrule-healthcheck.8
    diff <(options_of "$FERRULE_HEALTHCHECK") \
        <(sed -n '/^\.SH OPTIONS/,/^\.SH EXIT/p' "$page" | grep -A1 '^\.TP' | sed 's/\\-/-/g' |
            grep -oE '\-\-[a-z-]+' | sort -u)
}

@test "the page of ferrule.conf has all keys of a profile" {
    local key
    printf '[profile all]\nunheard_of = 1\n' >"$BATS_TEST_TMPDIR/ferrule.conf"
    run -3 "$FERRULE_HEALTHCHECK" --check-config --config "$BATS_TEST_TMPDIR/ferrule.conf"
    [[ $output =~ "the keys of a profile are "([a-z_, ]+) ]]
    for key in ${BASH_REMATCH[1]//,/}; do
        grep -A1 '^\.TP' "$ROOT/docs/man/ferrule.conf.5" | grep -qE "^\.BR? .*\b$key\b" ||
            { echo "no paragraph for $key" && false; }
    done
}

@test "the examples of ferrule.conf's page and of etc/ are understood" {
    local example
    awk -v to="$BATS_TEST_TMPDIR/example" '/^\.SH EXAMPLE/ { on = 1 } /^\.fi/ { inside = 0 }
        on && inside { print >(to number) } /^\.nf/ { inside = 1; ++number }' "$ROOT/docs/man/ferrule.conf.5"
    grep -E '^#(\[|[A-Za-z_]+ = |  +[0-9])' "$ROOT/etc/ferrule.conf.example" | cut -c2- >"$BATS_TEST_TMPDIR/example3"
    for example in "$BATS_TEST_TMPDIR"/example[123]; do
        "$FERRULE_HEALTHCHECK" --check-config --config "$example" --node n7
    done
}

# The report on machine $1, whatever it says.
report_of() {
    [[ -d $BATS_TEST_TMPDIR/$1 ]] ||
        "$FERRULE_CAPTURE" --unpack "$ROOT/tests/machines/$1.machine" "$BATS_TEST_TMPDIR/$1"
    touch "$BATS_TEST_TMPDIR/none.conf"
    "$FERRULE_HEALTHCHECK" --config "$BATS_TEST_TMPDIR/none.conf" --no-state --json \
        --sysroot "$BATS_TEST_TMPDIR/$1" || (($? < 4))
}

@test "reports are as their schema says" {
    local machine schema=$ROOT/docs/schema/health-report.json
    # InfiniBand, RoCE and EFA, each with something to say.
    for machine in ib-hdr-not-ndr roce-mtu-1500 p5-efa-31; do
        report_of "$machine" >"$BATS_TEST_TMPDIR/report"
        python3 "$BATS_TEST_DIRNAME/check_schema.py" "$schema" <"$BATS_TEST_TMPDIR/report"
    done
    # The judge judges: a failure without its remedy, and a word that the schema does not have.
    run -1 python3 "$BATS_TEST_DIRNAME/check_schema.py" "$schema" \
        < <(report_of ib-hdr-not-ndr | sed -e '/"remedy"/d' -e 's/\("rule": .*\),/\1/')
    [[ $output == *": no remedy"* ]]
    run -1 python3 "$BATS_TEST_DIRNAME/check_schema.py" "$schema" \
        < <(report_of ib-hdr-not-ndr | sed 's/"pass"/"passed"/')
    [[ $output == *"'passed' is none of"* ]]
}
