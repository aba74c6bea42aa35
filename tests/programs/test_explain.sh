#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# `tessera explain` of instructions: a sentence, operands with the bits of each chip, and of
# unpackers and packers the modes with what selects them, findings and page.
set -eu
: "${TESSERA:?}"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

# has TEXT: some line of the explanation is this one.
has()
{
    grep -qxF -- "$1" text || {
        echo "$explained: there is no line '$1'"
        exit 1
    }
}

explain()
{
    explained="explain $*"
    "$TESSERA" explain "$@" >text
}

# mode NAME: the four lines below the name of a mode.
mode()
{
    has "  $1"
    grep -xF -A 4 -- "  $1" text >mode
    for part in does 'selected by' findings page; do
        grep -q "^    $part  *[A-Za-z0-9]" mode || {
            echo "$explained: $1 has no '$part'"
            exit 1
        }
    done
}

for arch in wh bh; do
    # Each instruction says what it does, in one sentence.
    "$TESSERA" explain --list --arch $arch | sed -n 's/.* instruction //p' >names
    while read -r name; do
        explain "$name" --arch $arch
        [ "$(grep -c '^  does         [A-Z].*\.$' text)" = 1 ] || {
            echo "$name does not say what it does"
            exit 1
        }
    done <names
    explain UNPACR --arch $arch
    has "               22:15 AddrMode"
    for name in 'single-context mode' 'compressed input' transpose tileize upsampling 'row search' \
        'column shift' 'to Dst' 'context counter' 'bank handed over'; do
        mode "$name"
    done
    has "    selected by  THCON_SEC*_REG2_Haloize_mode"
    has "    findings     unpack-mode-clash, unpack-alignment, legacy-mode"
    has "    page         UNPACR_Regular.md"
    explain PACR --arch $arch
    for name in compression downsampling accumulation 'exponent threshold' 'minus infinity'; do
        mode "$name"
    done
    # Only the chip that was asked for, and no chip's name after a mode.
    [ "$(grep -c ': instruction of ' text)" = 1 ]
    if grep -q '^  [^ ].* (wormhole_b0)\|^  [^ ].* (blackhole_a0)' text; then
        echo "$explained names a chip after a mode"
        exit 1
    fi
done
mode 'row padding'
mode contexts
explain UNPACR_NOP
has "               4:0   NoOp"
has "               1:0   Unpack_Pop"
mode 'clear to 1 or a value (blackhole_a0)'
mode 'set register (wormhole_b0)'
mode 'set register (blackhole_a0)'
explain PACR_SETREG --arch bh
mode 'store'
mode 'set half of the word'
explain unpacr # any case, as the assembler
has "UNPACR: modes"
mode 'row broadcast (blackhole_a0)'
# Instructions without modes have no list of them.
explain ELWADD
if grep -q modes text; then
    echo "ELWADD has modes"
    exit 1
fi

# A wrong name: one sentence, and names that contain it.
status=0
"$TESSERA" explain UNPAC 2>said >text || status=$?
[ $status = 2 ]
[ ! -s text ]
[ "$(head -n 1 said)" = \
    "tessera: explain: there is no such instruction, field, finding or format 'UNPAC'" ]
grep -q '^names that contain it: .*UNPACR' said
echo "instructions and their modes are explained"
