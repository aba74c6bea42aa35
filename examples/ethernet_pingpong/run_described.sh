#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The same without a host program: ball_wh.yaml and ball_bh.yaml say which chips there are, what
# connects them and what runs where, and `tessera run --grid` does it. TESSERA is the command;
# RISCV_CC and LEVEL as in build_ball.sh. Arguments are passed on to the command.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../common/needs.sh"
needs_tessera
work=$(mktemp -d "${TMPDIR:-/tmp}/tessera-described.XXXXXX")
trap 'rm -rf "$work"' EXIT

for arch in wh bh; do
    "$here/build_ball.sh" "$arch" "$work/ball.elf"
    cp "$here/ball_$arch.yaml" "$work"
    echo "tessera run --grid ball_$arch.yaml $*"
    (cd "$work" && "$tessera" run --grid "ball_$arch.yaml" "$@")
    # The n-th of 256 numbers was 1000 n, from the ninth on 0; turns 1 to 20 make it 210 more.
    od -An -v -td4 -w4 "$work/ball.bin" |
        awk '{ wrong += $1 != (NR <= 8 ? 1000 * (NR - 1) : 0) + 210 }
             END { exit wrong > 0 || NR != 256 }' ||
        {
            echo "$arch: NUMBERS ARE WRONG"
            exit 1
        }
    printf '\n%s: all numbers are right\n\n' "$arch"
done
