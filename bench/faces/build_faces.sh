#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# usage: build_faces.sh wh|bh FOLDER [COPIES]
# Compiles bench_compiled's additions by faces to FOLDER, or copies: examples/eltwise_c, whose
# unpacking and additions the programs here replace. TESSERA and RISCV_CC as for that example.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
example=$here/../../examples/eltwise_c
arch=$1
out=$2
sh "$example/build.sh" "$arch" "$out"
case $arch in
wh) define=ARCH_WORMHOLE ;;
*) define=ARCH_BLACKHOLE ;;
esac
for program in unpack:trisc0 math:trisc1; do
    name=${program%:*}
    "${RISCV_CC:-riscv64-unknown-elf-gcc}" -march=rv32im -mabi=ilp32 -O2 -g \
        -Wall -Wextra -ffreestanding -nostdlib "-D$define" ${3:+-D$3} \
        "-I$out/include" "-I$example" \
        -T "$out/${program#*:}.ld" -o "$out/$name.elf" "$here/faces_$name.c"
done
