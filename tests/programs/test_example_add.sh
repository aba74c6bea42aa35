#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The example that `make run` shows: both chips give what expect.c computes, the same bits with
# timing on and off and with the reference kernels, and a comparison that is wrong is seen.
set -eu
: "${TESSERA:?}" "${SOURCE_DIR:?}" "${CC:=cc}"
add=$SOURCE_DIR/examples/add
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

TESSERA=$TESSERA CC=$CC OUT=$work "$add/run.sh" >"$work/report.txt" || {
    cat "$work/report.txt"
    exit 1
}
[ "$(grep -c '16384 of 16384 sums as expected' "$work/report.txt")" = 2 ]
for part in 'completed after' 'unpacker 0' 'cycles waited' 'findings: 0'; do
    grep -q "$part" "$work/report.txt"
done

cd "$work"
for arch in wh bh; do
    for options in '--timing off' '--timing off --kernels reference' '--timing on --seed 7'; do
        # shellcheck disable=SC2086
        "$TESSERA" run "$add/add.ttasm" --arch $arch $options --in "A=$add/a.npy" \
            --in "B=$add/b.npy" --out C=c.npy >/dev/null
        cmp c.npy "c_$arch.npy"
    done
done

# The check must be able to fail: one wrong bit in one number.
"$CC" -O1 -o expect "$add/expect.c" -lm
{
    head -c 1002 c_wh.npy
    printf '\001'
    tail -c +1004 c_wh.npy
} >wrong.npy
if ./expect "$add/a.npy" "$add/b.npy" wrong.npy >said.txt; then
    echo "expect.c does not see a wrong number"
    exit 1
fi
grep -q '16383 of 16384' said.txt
# make_arrays.c still gives the arrays that are committed.
"$CC" -O1 -o make_arrays "$add/make_arrays.c"
./make_arrays
cmp a.npy "$add/a.npy"
cmp b.npy "$add/b.npy"
echo "both chips add as expected"
