#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Runs this example on both chips and compares the results with expect.c. TESSERA is the command,
# CC a C compiler, OUT the folder for c_wh.npy and c_bh.npy (default: a new one under /tmp).
set -eu
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../common/needs.sh"
needs_tessera
out=${OUT:-}
work=$(mktemp -d "${TMPDIR:-/tmp}/tessera-add.XXXXXX")
trap 'rm -rf "$work"' EXIT
[ -n "$out" ] || out=$work

"${CC:-cc}" -O1 -o "$work/expect" "$here/expect.c" -lm
for arch in wh bh; do
    echo "tessera run examples/add/add.ttasm --arch $arch --timing on" \
         "--in A=a.npy --in B=b.npy --out C=c_$arch.npy"
    "$tessera" run "$here/add.ttasm" --arch "$arch" --timing on --in "A=$here/a.npy" \
        --in "B=$here/b.npy" --out "C=$out/c_$arch.npy"
    printf '\nchecked by expect.c: '
    "$work/expect" "$here/a.npy" "$here/b.npy" "$out/c_$arch.npy"
    echo
done
