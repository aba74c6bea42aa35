#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# build_ball.sh wh|bh FILE: the program of the cores as an ELF file. RISCV_CC is a compiler for
# RISC-V, LEVEL its optimisation.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../common/needs.sh"
needs_riscv_compiler
case $1 in
wh) define=ARCH_WORMHOLE ;;
*) define=ARCH_BLACKHOLE ;;
esac
"$riscv_cc" -march=rv32im -mabi=ilp32 "${LEVEL:--O2}" -g -Wall -Wextra \
    -ffreestanding -nostdlib "-D$define" -T "$here/ball.ld" -o "$2" "$here/ball.c"
