#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# usage: build_faces.sh wh|bh FOLDER [COPIES]
# Compiles bench_compiled's additions by faces to FOLDER, or copies: examples/eltwise_c, whose
# unpacking and additions the programs here replace. TESSERA and RISCV_CC as for that example.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
examples=$here/../../examples
. "$examples/common/needs.sh"
. "$examples/common/compile.sh"
kernel_headers "$1" "$2"
for program in brisc:brisc pack:trisc2; do
    name=${program%:*}
    compile_kernel "$2" "${program#*:}" "$examples/eltwise_c/$name.c" "$name"
done
for program in unpack:trisc0 math:trisc1; do
    name=${program%:*}
    compile_kernel "$2" "${program#*:}" "$here/faces_$name.c" "$name" \
        "-I$examples/eltwise_c" ${3:+"-D$3"}
done
