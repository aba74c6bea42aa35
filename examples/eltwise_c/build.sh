#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# usage: build.sh wh|bh FOLDER
# Compiles the four programs to FOLDER/brisc.elf, unpack.elf, math.elf and pack.elf. TESSERA is the
# command, which makes header and linker scripts; RISCV_CC the compiler, LEVEL its optimisation.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../common/needs.sh"
[ $# = 2 ] || missing "usage: build.sh wh|bh FOLDER"
. "$here/../common/compile.sh"
kernel_headers "$1" "$2"
for program in brisc:brisc unpack:trisc0 math:trisc1 pack:trisc2; do
    name=${program%:*}
    compile_kernel "$2" "${program#*:}" "$here/$name.c" "$name"
done
