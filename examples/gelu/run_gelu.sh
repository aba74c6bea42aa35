#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Runs this example on both chips and compares the results with expect_gelu.c. TESSERA is the
# command, CC a C compiler, OUT the folder for y_wh.npy and y_bh.npy (default: a new one under
# /tmp).
set -eu
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../common/needs.sh"
needs_tessera
out=${OUT:-}
work=$(mktemp -d "${TMPDIR:-/tmp}/tessera-gelu.XXXXXX")
trap 'rm -rf "$work"' EXIT
[ -n "$out" ] || out=$work

"${CC:-cc}" -O1 -o "$work/expect" "$here/expect_gelu.c" -lm
for arch in wh bh; do
    echo "tessera run examples/gelu/gelu.ttasm --arch $arch --timing on" \
         "--in X=x.npy --out Y=y_$arch.npy"
    "$tessera" run "$here/gelu.ttasm" --arch "$arch" --timing on --in "X=$here/x.npy" \
        --out "Y=$out/y_$arch.npy"
    printf '\nchecked by expect_gelu.c: '
    "$work/expect" "$arch" "$here/x.npy" "$out/y_$arch.npy"
    echo
done
