#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Builds and runs this example on both chips and compares the results with those of examples/add.
# TESSERA is the command, CC a C compiler, RISCV_CC one for RISC-V, OUT the folder for c_wh.npy and
# c_bh.npy (default: a new one under /tmp).
set -eu
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../common/needs.sh"
needs_tessera
add=$here/../add
out=${OUT:-}
work=$(mktemp -d "${TMPDIR:-/tmp}/tessera-eltwise.XXXXXX")
trap 'rm -rf "$work"' EXIT
[ -n "$out" ] || out=$work

"${CC:-cc}" -O1 -o "$work/array_tiles" "$here/array_tiles.c"
"$work/array_tiles" pack "$add/a.npy" "$work/a.bin"
"$work/array_tiles" pack "$add/b.npy" "$work/b.bin"
for arch in wh bh; do
    "$here/build.sh" "$arch" "$work/$arch"
    echo "tessera run --elf brisc=brisc.elf,trisc0=unpack.elf,trisc1=math.elf,trisc2=pack.elf" \
         "--arch $arch --load a.bin@0x20000 --load b.bin@0x80000 --dump 0xe0000:32768=c.bin"
    "$tessera" run --arch "$arch" --load "$work/a.bin@0x20000" --load "$work/b.bin@0x80000" \
        --elf "brisc=$work/$arch/brisc.elf,trisc0=$work/$arch/unpack.elf" \
        --elf "trisc1=$work/$arch/math.elf,trisc2=$work/$arch/pack.elf" \
        --dump "0xe0000:32768=$work/c.bin"
    "$work/array_tiles" unpack "$work/c.bin" "$out/c_$arch.npy"
    "$tessera" run "$add/add.ttasm" --arch "$arch" --in "A=$add/a.npy" --in "B=$add/b.npy" \
        --out "C=$work/wanted.npy" >"$work/add.txt"
    cmp "$out/c_$arch.npy" "$work/wanted.npy"
    printf '\nthe same bits as examples/add on %s\n\n' "$arch"
done
