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

# The values that operands take, with the bits of each chip.
explain STALLWAIT --arch wh
has "    0x0078  p_stall.PACK                   a packer works for this thread"
has "    0x0080  p_stall.STALL_CFG              configuration unit"
explain STALLWAIT --arch bh
has "    0x0008  p_stall.PACK                   a packer works for this thread"
explain SEMWAIT --arch bh
has "    0x0002  p_stall.STALL_ON_MAX           a chosen semaphore is at its maximum or above"
has "    0x0001  semaphore.MATH_PACK            math and pack threads: Dst"

# Fields: meaning, values, readers.
explain THCON_SEC1_REG2_Throttle_mode --arch wh
has "  meaning      how fast the unpacker reads L1"
has "  values       0 x1; 1 x2; 2 x4 (16, 32, 64 bytes a cycle)"
has "  read by      UNPACR"
explain THCON_SEC0_REG8_Out_data_format --arch bh
grep -q '^  values       0 FP32; 1 FP16; .*; 15 BFP2$' text
explain CG_CTRL_EN_Fpu --arch wh
has "  implemented  no unit reads it"
if grep -q '^  read by' text; then
    echo "$explained: nothing reads it"
    exit 1
fi

# The legal pairs, and a category with its codes.
explain unpack-format-pair
has "    FP32    to FP16 TF32 BF16"
has "    FP32    to FP32 FP16 TF32 BF16"
explain pack-format-pair --arch wh
has "    INT16   to INT16"
has "    INT8    to INT8"
explain bad-input
has "bad-input: category of findings"
has "  stops in     strict, silicon, conformance"
has "    unknown-instruction"
explain deadlock
has "  stops in     strict, conformance"
explain unguaranteed-order
has "  stops in     none"

# A wrong name: one sentence, and names that contain it.
status=0
"$TESSERA" explain UNPAC 2>said >text || status=$?
[ $status = 2 ]
[ ! -s text ]
[ "$(head -n 1 said)" = \
    "tessera: explain: there is no such instruction, field, finding, category or format \
'UNPAC' (nearest: 'UNPACR')" ]
grep -q '^names that contain it: .*UNPACR' said
echo "instructions and their modes are explained"
