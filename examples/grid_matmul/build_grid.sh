#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# usage: build_grid.sh wh|bh FOLDER
# Compiles the five programs to FOLDER/NAME.elf. TESSERA is the command, which makes header and
# linker scripts; RISCV_CC the compiler, LEVEL its optimisation.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../common/needs.sh"
[ $# = 2 ] || missing "usage: build_grid.sh wh|bh FOLDER"
. "$here/../common/compile.sh"
kernel_headers "$1" "$2"
for program in brisc:brisc ncrisc:ncrisc unpack:trisc0 math:trisc1 pack:trisc2; do
    name=${program%:*}
    compile_kernel "$2" "${program#*:}" "$here/grid_$name.c" "$name"
done
