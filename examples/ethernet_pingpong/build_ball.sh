#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# usage: build_ball.sh wh|bh FILE
# Compiles the program of the cores to FILE, an ELF file. RISCV_CC is a compiler for RISC-V, LEVEL
# its optimisation.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../common/needs.sh"
[ $# = 2 ] || missing "usage: build_ball.sh wh|bh FILE"
needs_riscv_compiler
case $1 in
wh) define=ARCH_WORMHOLE ;;
bh) define=ARCH_BLACKHOLE ;;
*) missing "no chip is called '$1' (wh or bh)" ;;
esac
"$riscv_cc" -march=rv32im -mabi=ilp32 "${LEVEL:--O2}" -g -Wall -Wextra \
    -ffreestanding -nostdlib "-D$define" -T "$here/ball.ld" -o "$2" "$here/ball.c"
