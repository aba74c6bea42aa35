#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# docs/deletions.md has a row for each wait of the examples, and what it says was found is found:
# here for the tutorial's program, whose runs are short; with ALL=1 (make long) for every one.
set -eu
LC_ALL=C
export LC_ALL
source_dir=${SOURCE_DIR:-$(cd "$(dirname "$0")/../.." && pwd)}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
TESSERA=${TESSERA:-$source_dir/build/tessera}
export TESSERA
status=0

sh "$source_dir/tools/docs_table.sh" get "$source_dir/docs/deletions.md" deletions > "$work/table"
cut -d '|' -f 1-3 "$work/table" | sed '1,2d; s/$/|/' > "$work/has"
SITES=1 sh "$source_dir/tools/deletions.sh" > "$work/wants"
if ! diff "$work/has" "$work/wants"; then
    echo "FAIL: docs/deletions.md lists other places than the examples have"
    status=1
fi

# A place, and for each chip whether the removal was found.
classes() {
    awk -F '|' -v some="$some" '/^\| [a-z]/ && !/^\| place/ && $2 ~ some {
        for (i = 4; i <= 5; i++)
            found[i] = $i ~ /redundant|pages alone/ ? "no" : "yes"
        print $2, found[4], found[5] }' "$1"
}
if [ -n "${ALL:-}" ]; then
    some=.
    sh "$source_dir/tools/deletions.sh" > "$work/now"
else
    some='^ tutorial'
    RUNS=6 sh "$source_dir/tools/deletions.sh" tutorial > "$work/now"
fi
classes "$work/table" > "$work/said"
classes "$work/now" > "$work/met"
[ "$(wc -l < "$work/met")" -ge 4 ] || { cat "$work/now"; status=1; }
if ! diff "$work/said" "$work/met"; then
    echo "FAIL: docs/deletions.md says something else than"
    cat "$work/now"
    status=1
fi
exit $status
