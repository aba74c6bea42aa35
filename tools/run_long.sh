#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# usage: run_long.sh BUILD WORDS SECONDS SEED
# The long comparisons: every program of tests/oracle whose "Usage: NAME [WORDS" says that it takes
# a number of random instructions runs that many, the vector unit's kernels get a thousand times as
# many operands, the frontend's fuzzer runs that many seconds. Then what UNPACR's model met must be
# what docs/unpackers.md says, and each wait that is removed is found as docs/deletions.md says. The
# first that fails ends it.
set -eu
build=$1 words=$2 seconds=$3 seed=$4
root=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

run()
{
    echo "== $*"
    "$@" >"$work/said" 2>&1 || {
        cat "$work/said"
        echo "run_long: $* fails" >&2
        exit 1
    }
    tail -n 1 "$work/said"
}

ran=0
for source in "$root"/tests/oracle/test_*.c; do
    name=$(basename "$source" .c)
    grep -q "^//.* Usage: $name \[WORDS" "$source" || continue
    run "$build/tests/oracle/$name" "$words" "$seed" "$work/$name.md"
    ran=$((ran + 1))
done
[ "$ran" -gt 0 ]
if [ "$words" -ge 1000000 ]; then
    export TESSERA="$build/tessera" SOURCE_DIR="$root" BUILD_DIR="$build"
    export UNPACR_MET="$work/test_unpacr_oracle.md"
    run sh "$root/tests/habits/test_docs_tables.sh"
    ALL=1 run sh "$root/tests/programs/test_deletions.sh"
fi
run "$build/tests/kernels/test_kernels_vector" "${words}000" "$seed"
run "$build/fuzz/fuzz_frontend" "$seconds" "$seed"
echo "all $ran comparisons of $words instructions and the fuzzer agree"
