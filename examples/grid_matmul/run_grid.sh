#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Builds and runs this example on both chips and compares the products with those of
# examples/matmul, which one tile makes. TESSERA is the command, RISCV_CC a compiler for RISC-V, OUT
# the folder for programs and products (default: a new one under /tmp). Arguments are passed on to
# `tessera run --grid`.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../common/needs.sh"
needs_tessera
matmul=$here/../matmul
work=$(mktemp -d "${TMPDIR:-/tmp}/tessera-grid.XXXXXX")
trap 'rm -rf "$work"' EXIT
out=${OUT:-$work}

for arch in wh bh; do
    mkdir -p "$out/$arch"
    "$here/build_grid.sh" "$arch" "$out/$arch"
    cp "$here/$arch.yaml" "$matmul/left.npy" "$matmul/right.npy" "$out/$arch"
    echo "tessera run --grid $arch.yaml $*"
    "$tessera" run --grid "$out/$arch/$arch.yaml" "$@"
    "$tessera" run "$matmul/matmul.ttasm" --arch "$arch" --in "A=$matmul/left.npy" \
        --in "B=$matmul/right.npy" --out "LOFI=$work/lofi.npy" --out "HIFI2=$work/hifi2.npy" \
        --out "HIFI4=$work/one_tile.npy" >"$work/one_tile.txt"
    cmp "$out/$arch/product.npy" "$work/one_tile.npy"
    printf '\nthe same bits as from one tile of %s\n\n' "$arch"
done
