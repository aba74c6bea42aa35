#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# disasm and asm are each other's inverse on words of every opcode, on both chips; explain knows
# every name that it lists.
set -eu
: "${TESSERA:?}"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

# Eight words of each opcode, with operand bits that are the same in every run.
awk 'BEGIN {
    for (opcode = 0; opcode < 256; opcode++)
        for (i = 0; i < 8; i++) {
            state = (i == 0) ? 0 : (state * 1103 + opcode * 7919 + 12345) % 16777216
            printf "0x%02x%06x\n", opcode, state
        }
}' >words
for arch in wh bh; do
    "$TESSERA" disasm --arch $arch words >text
    "$TESSERA" asm --arch $arch text >again
    cmp words again
    [ "$(wc -l <text)" = 2048 ]
    grep -q '^ELWADD dst=0 ' text
    grep -q '^\.word 0x' text
    # An operand's name is an identifier.
    [ "$(grep -v '^\.word ' text | grep -cvE '^[A-Z0-9_]+( [A-Za-z_][A-Za-z0-9_]*=[0-9]+)*$')" = 0 ]
    grep -q '^GATESRCRST reset_srca_gate_control=' text
    # Without its prefix, in capitals, with a comment, from the standard input.
    printf '28C08000 # add\n' | "$TESSERA" disasm --arch wh - | grep -q '^ELWADD .*clear_dvalid=3'
    # The grammar of .ttasm, and each thread's words.
    printf '.equ N, 2 ; two\n.rep N\nELWADD dst=N, clear_dvalid=3 // sum\n.endr\n' |
        "$TESSERA" asm --arch $arch - >made
    [ "$(sort -u made)" = 0x28c00002 ]
    [ "$(wc -l <made)" = 2 ]
    printf '.thread 2\nNOP\n.thread 0\nNOP\n' | "$TESSERA" asm --arch $arch - >made
    [ "$(tr '\n' ' ' <made)" = '# thread 0 0x02000000 # thread 2 0x02000000 ' ]
    "$TESSERA" explain --list --arch $arch | cut -d' ' -f2- | sort -u >names
    [ "$(grep -c ' instruction ' names || true)" = 0 ]
    [ "$(grep -c '^instruction ' names)" = "$([ $arch = wh ] && echo 128 || echo 137)" ]
    [ "$(grep -c '^field ' names)" = "$([ $arch = wh ] && echo 813 || echo 842)" ]
done
{
    grep '^instruction ' names | head -n 5
    grep '^field ' names | head -n 5
    echo "field THCON_SEC0_REG0_TileDescriptor.InDataFormat"
    echo "finding uninitialised-l1"
    echo "format BF16"
} | while read -r _ name; do
    "$TESSERA" explain "$name" --arch bh | grep -q "^$name: "
done
echo "words and text agree"
