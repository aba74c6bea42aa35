#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Runs this example on both chips and compares the results with expect_product.c. TESSERA is the
# command, CC a C compiler, OUT the folder for lofi_wh.npy and so on (default: a new one under
# /tmp).
set -eu
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../common/needs.sh"
needs_tessera
out=${OUT:-}
work=$(mktemp -d "${TMPDIR:-/tmp}/tessera-matmul.XXXXXX")
trap 'rm -rf "$work"' EXIT
[ -n "$out" ] || out=$work

"${CC:-cc}" -O1 -o "$work/expect" "$here/expect_product.c" -lm
for arch in wh bh; do
    echo "tessera run examples/matmul/matmul.ttasm --arch $arch --timing on" \
         "--in A=left.npy --in B=right.npy --out LOFI=lofi_$arch.npy" \
         "--out HIFI2=hifi2_$arch.npy --out HIFI4=hifi4_$arch.npy"
    "$tessera" run "$here/matmul.ttasm" --arch "$arch" --timing on \
        --in "A=$here/left.npy" --in "B=$here/right.npy" --out "LOFI=$out/lofi_$arch.npy" \
        --out "HIFI2=$out/hifi2_$arch.npy" --out "HIFI4=$out/hifi4_$arch.npy"
    printf '\nchecked by expect_product.c:\n'
    "$work/expect" "$here/left.npy" "$here/right.npy" "$out/lofi_$arch.npy" \
        "$out/hifi2_$arch.npy" "$out/hifi4_$arch.npy"
    echo
done
