#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The example in C: both chips give the bits of examples/add, with timing on and off, without
# shortcuts, and at each level of the compiler.
set -eu
: "${TESSERA:?}" "${SOURCE_DIR:?}" "${CC:=cc}"
. "$SOURCE_DIR/tests/programs/common.sh"
needs_riscv_compiler
example=$SOURCE_DIR/examples/eltwise_c
add=$SOURCE_DIR/examples/add
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

TESSERA=$TESSERA CC=$CC OUT=$work "$example/run_eltwise.sh" >"$work/report.txt" || {
    cat "$work/report.txt"
    exit 1
}
[ "$(grep -c 'the same bits as examples/add' "$work/report.txt")" = 2 ]
for part in 'completed after' 'unpacker 0' 'brisc  ' 'ended at 0x' 'in reset' 'findings: 0'; do
    grep -q "$part" "$work/report.txt" || fail "the report lacks '$part'"
done

cd "$work"
"$CC" -O1 -o array_tiles "$example/array_tiles.c"
./array_tiles pack "$add/a.npy" a.bin
./array_tiles pack "$add/b.npy" b.bin

# sums ARCH OPTION…: the programs of folder ARCH give what examples/add does.
sums()
{
    arch=$1
    shift
    "$TESSERA" run --arch "$arch" --load a.bin@0x20000 --load b.bin@0x80000 "$@" \
        --dump 0xe0000:32768=c.bin >report.txt || {
        cat report.txt
        fail "$arch $*"
    }
    ./array_tiles unpack c.bin c.npy
    cmp c.npy "c_$arch.npy" || fail "$arch $*: other bits"
}

for arch in wh bh; do
    "$example/build.sh" $arch $arch
    threads=trisc0=$arch/unpack.elf,trisc1=$arch/math.elf,trisc2=$arch/pack.elf
    all=brisc=$arch/brisc.elf,$threads
    sums $arch --elf $all --timing on
    sums $arch --elf $all --pipeline staged --kernels reference --seed 3
    sums $arch --elf $all --policy strict
    sums $arch --elf $all --until 0x1ffc0=0xff
    for level in -O0 -Os -O3; do
        LEVEL=$level "$example/build.sh" $arch $arch
        sums $arch --elf $all
    done
done

# A wrong bit in an input must be seen.
printf '\001' | dd of=a.bin bs=1 seek=1001 conv=notrunc 2>/dev/null
if (sums wh --elf brisc=wh/brisc.elf,trisc0=wh/unpack.elf,trisc1=wh/math.elf,trisc2=wh/pack.elf) \
    >/dev/null 2>&1; then
    fail "another input gives the same sums"
fi
echo "programs in C add as expected"
