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
