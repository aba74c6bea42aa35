#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The example of the vector unit: both chips give what expect_gelu.c computes, the same bits with
# timing on and off, from every set of kernels and with every stage, the chips differ where their
# multiply-adds do, and a comparison that is wrong is seen.
set -eu
: "${TESSERA:?}" "${SOURCE_DIR:?}" "${CC:=cc}"
gelu=$SOURCE_DIR/examples/gelu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

TESSERA=$TESSERA CC=$CC OUT=$work "$gelu/run_gelu.sh" >"$work/report.txt" || {
    cat "$work/report.txt"
    exit 1
}
[ "$(grep -c '16384 of 16384 numbers as expected' "$work/report.txt")" = 2 ]
[ "$(grep -c 'largest error 0.0078, mean error 0.00061' "$work/report.txt")" = 2 ]
[ "$(grep -c 'findings: 0' "$work/report.txt")" = 2 ]

cd "$work"
for arch in wh bh; do
    for options in '--timing off' '--timing off --kernels reference' \
                   '--timing on --kernels portable' '--timing off --pipeline staged'; do
        # shellcheck disable=SC2086
        "$TESSERA" run "$gelu/gelu.ttasm" --arch $arch $options --in "X=$gelu/x.npy" \
            --out Y=y.npy >/dev/null
        cmp y.npy "y_$arch.npy"
    done
done

# The check must be able to fail: one wrong bit in one number, and one chip taken for the other.
"$CC" -O1 -o expect "$gelu/expect_gelu.c" -lm
{
    head -c 1002 y_wh.npy
    printf '\001'
    tail -c +1004 y_wh.npy
} >wrong.npy
if ./expect wh "$gelu/x.npy" wrong.npy >said.txt; then
    echo "expect_gelu.c does not see a wrong number"
    exit 1
fi
grep -q '16383 of 16384' said.txt
if ./expect bh "$gelu/x.npy" y_wh.npy >/dev/null; then
    echo "expect_gelu.c takes one chip for the other"
    exit 1
fi
# make_input.c still gives the array that is committed.
"$CC" -O1 -o make_input "$gelu/make_input.c"
./make_input
cmp x.npy "$gelu/x.npy"
echo "both chips compute gelu as expected"
