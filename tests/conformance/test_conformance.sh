#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# All committed cases and vectors, with timing off and on, with each kernel mask, and with timing
# off through all stages. Nothing may fail, and exactly the items of expected_skips.list are
# skipped: one that is newly skipped is a loss, one that newly passes leaves the list
# (UPDATE_SKIPS=1 rewrites it).
set -eu
LC_ALL=C
export LC_ALL
source_dir=${SOURCE_DIR:-$(cd "$(dirname "$0")/../.." && pwd)}
tessera=${TESSERA:-$source_dir/build/tessera}
if [ ! -x "$tessera" ]; then
    echo "FAIL: there is no $tessera"
    exit 1
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$source_dir/tests/conformance"
list=expected_skips.list
status=0

if [ "${UPDATE_SKIPS:-0}" = 1 ]; then
    "$tessera" check --verbose cases stories numerics > "$work/out" || true
    {
        echo "# What 'tessera check' skips because it is unimplemented; see test_conformance.sh."
        sed -n 's/^SKIP \([^:]*\): .*/\1/p' "$work/out" | sort
    } > "$list"
fi
grep -v '^#' "$list" | sort > "$work/expected" || true

# Vectors are single operations, which no option changes: they run once.
code=0
"$tessera" check --verbose numerics > "$work/vectors" || code=$?
echo "vectors: $(tail -n 1 "$work/vectors")"
grep '^FAIL ' "$work/vectors" | head -n 20 || true
if [ $code -ne 0 ] ||
   ! tail -n 1 "$work/vectors" | grep -Eq '^[0-9]+ passed, 0 failed, [0-9]+ skipped$'; then
    status=1
fi

# With timing on there is one pipeline.
for options in '--timing off' '--timing off --kernels reference' '--timing off --pipeline staged' \
               '--timing on' '--timing on --kernels reference'; do
    code=0
    # Word splitting is wanted.
    # shellcheck disable=SC2086
    "$tessera" check --verbose $options cases stories > "$work/out" || code=$?
    echo "$options: $(tail -n 1 "$work/out")"
    grep '^FAIL ' "$work/out" | head -n 20 || true
    if [ $code -ne 0 ]; then
        status=1
    fi
    # A run that ended early has no counts, and a failure may not hide behind them.
    if ! tail -n 1 "$work/out" | grep -Eq '^[0-9]+ passed, 0 failed, [0-9]+ skipped$'; then
        status=1
    fi
    cat "$work/vectors" "$work/out" | sed -n 's/^SKIP \([^:]*\): .*/\1/p' | sort > "$work/skipped"
    comm -13 "$work/expected" "$work/skipped" > "$work/new"
    comm -23 "$work/expected" "$work/skipped" > "$work/gone"
    if [ -s "$work/new" ]; then
        echo "FAIL: $(wc -l < "$work/new") are skipped that were not:"
        head -n 20 "$work/new"
        status=1
    fi
    if [ -s "$work/gone" ]; then
        echo "FAIL: $(wc -l < "$work/gone") are in $list but not skipped" \
             "(UPDATE_SKIPS=1 takes those that pass off):"
        head -n 20 "$work/gone"
        status=1
    fi
done

items=$(($(cat cases/*.jsonl stories/*.jsonl | wc -l) + $(find numerics -name '*.txt' | wc -l)))
lines=$(cat "$work/vectors" "$work/out" | grep -Ec '^(PASS|FAIL|SKIP) ' || true)
if [ "$items" -ne "$lines" ]; then
    echo "FAIL: $items cases and vector files, but $lines were run"
    status=1
fi
grep '^skipped: ' "$work/out" || true
exit $status
