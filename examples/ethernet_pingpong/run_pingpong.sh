#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Builds the program of the cores and its host, and runs them on both chips. RISCV_CC and LEVEL are
# those of build_ball.sh, CC is a compiler for the host, TESSERA_FLAGS what that needs for the
# library (default: for what was built here, or else pkg-config's). Arguments are passed on to
# two_chips.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../common/needs.sh"
needs_riscv_compiler
needs_library
work=$(mktemp -d "${TMPDIR:-/tmp}/tessera-pingpong.XXXXXX")
trap 'rm -rf "$work"' EXIT

# shellcheck disable=SC2086 # a list of flags
"${CC:-cc}" -std=c17 -Wall -Wextra -O2 -o "$work/two_chips" "$here/two_chips.c" $flags
for arch in wh bh; do
    "$here/build_ball.sh" "$arch" "$work/$arch.elf"
    "${riscv_cc%gcc}objcopy" -O binary "$work/$arch.elf" "$work/$arch.bin"
    "$work/two_chips" "$arch" "$work/$arch.bin" "$@"
done
