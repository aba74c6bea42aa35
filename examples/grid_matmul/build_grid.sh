#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# usage: build_grid.sh wh|bh FOLDER
# Compiles the five programs to FOLDER/NAME.elf. TESSERA is the command, which makes header and
# linker scripts; RISCV_CC the compiler, LEVEL its optimisation.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../common/needs.sh"
needs_tessera
needs_riscv_compiler
arch=$1
out=$2
case $arch in
wh) chip=wormhole_b0 define=ARCH_WORMHOLE ;;
*) chip=blackhole_a0 define=ARCH_BLACKHOLE ;;
esac

# `make install` leaves these headers and scripts below its prefix, too.
mkdir -p "$out/include/tessera/kernel"
cp "$here"/../../include/tessera/kernel/*.h "$out/include/tessera/kernel"
"$tessera" kernel-header --arch "$arch" >"$out/include/tessera/kernel/$chip.h"
for program in brisc:brisc ncrisc:ncrisc unpack:trisc0 math:trisc1 pack:trisc2; do
    name=${program%:*}
    core=${program#*:}
    "$tessera" kernel-header --arch "$arch" --linker-script "$core" >"$out/$core.ld"
    "$riscv_cc" -march=rv32im -mabi=ilp32 "${LEVEL:--O2}" -g \
        -Wall -Wextra -ffreestanding -nostdlib "-D$define" "-I$out/include" -T "$out/$core.ld" \
        -o "$out/$name.elf" "$here/grid_$name.c"
done
