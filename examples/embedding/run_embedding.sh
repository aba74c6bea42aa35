#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Builds both clients and the program of the second one, and runs them on both chips. RISCV_CC is a
# compiler for RISC-V, CC one for the host, TESSERA the command, TESSERA_FLAGS what clients need for
# the library. Without the last two it takes what was built here, or else what is installed.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../common/needs.sh"
. "$here/../common/compile.sh"
needs_tessera
needs_riscv_compiler
needs_library
work=$(mktemp -d "${TMPDIR:-/tmp}/tessera-embedding.XXXXXX")
trap 'rm -rf "$work"' EXIT

for client in run_words run_elf; do
    # shellcheck disable=SC2086 # a list of flags
    "${CC:-cc}" -std=c17 -Wall -Wextra -O2 -o "$work/$client" "$here/$client.c" $flags
done
for arch in wh bh; do
    kernel_headers "$arch" "$work"
    compile_kernel "$work" trisc0 "$here/count.c" "$arch"
    echo "run_words $arch"
    "$work/run_words" "$arch"
    echo "run_elf $arch count.elf"
    "$work/run_elf" "$arch" "$work/$arch.elf"
done
