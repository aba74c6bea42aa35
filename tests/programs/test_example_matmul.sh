#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The example of a matrix product: both chips give what expect_product.c computes at each fidelity,
# the same bits with timing on and off and from every set of kernels, and a comparison that is wrong
# is seen.
set -eu
: "${TESSERA:?}" "${SOURCE_DIR:?}" "${CC:=cc}"
matmul=$SOURCE_DIR/examples/matmul
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

TESSERA=$TESSERA CC=$CC OUT=$work "$matmul/run_matmul.sh" >"$work/report.txt" || {
    cat "$work/report.txt"
    exit 1
}
[ "$(grep -c '16384 of 16384' "$work/report.txt")" = 6 ]
[ "$(grep -c 'findings: 0' "$work/report.txt")" = 2 ]

cd "$work"
for arch in wh bh; do
    for options in '--timing off' '--timing off --kernels reference' \
                   '--timing on --kernels portable'; do
        # shellcheck disable=SC2086
        "$TESSERA" run "$matmul/matmul.ttasm" --arch $arch $options --in "A=$matmul/left.npy" \
            --in "B=$matmul/right.npy" --out LOFI=1.npy --out HIFI2=2.npy --out HIFI4=4.npy \
            >/dev/null
        cmp 1.npy "lofi_$arch.npy"
        cmp 2.npy "hifi2_$arch.npy"
        cmp 4.npy "hifi4_$arch.npy"
    done
done
# The modes differ, or the comparison would show little.
! cmp -s lofi_wh.npy hifi2_wh.npy
! cmp -s hifi2_wh.npy hifi4_wh.npy

# The check must be able to fail: one wrong bit in one number, and one mode taken for another.
"$CC" -O1 -o expect "$matmul/expect_product.c" -lm
{
    head -c 1002 hifi2_wh.npy
    printf '\001'
    tail -c +1004 hifi2_wh.npy
} >wrong.npy
if ./expect "$matmul/left.npy" "$matmul/right.npy" lofi_wh.npy wrong.npy hifi4_wh.npy >said.txt
then
    echo "expect_product.c does not see a wrong number"
    exit 1
fi
grep -q '16383 of 16384' said.txt
if ./expect "$matmul/left.npy" "$matmul/right.npy" lofi_wh.npy hifi4_wh.npy hifi4_wh.npy >/dev/null
then
    echo "expect_product.c takes one fidelity for another"
    exit 1
fi
# make_factors.c still gives the arrays that are committed.
"$CC" -O1 -o make_factors "$matmul/make_factors.c"
./make_factors
cmp left.npy "$matmul/left.npy"
cmp right.npy "$matmul/right.npy"
echo "both chips multiply as expected"
