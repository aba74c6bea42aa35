#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The committed cases and vectors are those of ../shared/cases, where the clone stands beside it.
# CTest counts the exit status 77 as skipped.
set -eu
source_dir=${SOURCE_DIR:-$(cd "$(dirname "$0")/../.." && pwd)}
shared=${SHARED_CASES:-$source_dir/../shared/cases}
here=$source_dir/tests/conformance

if [ ! -d "$shared" ]; then
    echo "skipped: there is no $shared to compare with"
    exit 77
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
sh "$here/pack_shared.sh" "$shared" "$work"

# diff, not cmp: files that are only on one side count too.
for part in cases numerics refused-by-ttsim.csv; do
    if ! diff -rq "$work/$part" "$here/$part"; then
        echo "FAIL: $part differs; 'sh tests/conformance/pack_shared.sh ../shared/cases" \
             "tests/conformance' takes the newer ones"
        exit 1
    fi
done

# Packing must not lose a case without anybody seeing it.
files=$(find "$shared" -name '*.json' | wc -l)
lines=$(cat "$here"/cases/*.jsonl | wc -l)
if [ "$files" -ne "$lines" ]; then
    echo "FAIL: $files cases in $shared, $lines here"
    exit 1
fi
echo "$lines cases and $(find "$here/numerics" -name '*.txt' | wc -l) vector files are the same"
