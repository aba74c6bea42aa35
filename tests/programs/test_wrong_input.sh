#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Whatever is wrong with what the user gives: one sentence with place, reason and word on stderr,
# exit status 2, nothing on stdout, and no output file touched.
set -eu
: "${TESSERA:?}" "${SOURCE_DIR:?}"
. "$SOURCE_DIR/tests/programs/make_npy.sh"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
failed=0

# refuse SENTENCE ARGUMENT…: tessera must say exactly that.
refuse()
{
    sentence="tessera: $1"
    shift
    status=0
    "$TESSERA" "$@" >stdout 2>stderr || status=$?
    if [ "$status" != 2 ] || [ "$(cat stderr)" != "$sentence" ] || [ -s stdout ]; then
        echo "tessera $*"
        echo "  status $status, said: $(cat stderr)"
        echo "  wanted 2, and:       $sentence"
        failed=1
    fi
    if [ "$(cat old.npy)" != old ] || [ -n "$(ls | grep tessera- || true)" ]; then
        echo "tessera $*: an output file was touched"
        failed=1
    fi
}

# refuse_line LINE SENTENCE [ARGUMENT…]: the third line of a program with tensor T is wrong.
refuse_line()
{
    line=$1
    shift
    printf '# a program\n.thread 0\n%s\nNOP\n' "$line" >line.ttasm
    sentence="line.ttasm:3: $1"
    shift
    refuse "$sentence" run line.ttasm --arch wh "$@"
}

printf old >old.npy
printf '.thread 0\nNOP\n' >nop.ttasm
make_zeros a.npy '<f4' '64, 64' 16384
make_zeros int.npy '<i4' '64, 64' 16384
make_zeros double.npy '<f8' '64, 64' 32768
make_zeros order.npy '<f4' '64, 64' 16384 True
make_zeros odd.npy '<f4' '64, 40' 10240
make_zeros flat.npy '<f4' '64,' 256
make_zeros short.npy '<f4' '64, 64' 100
make_zeros huge.npy '<f4' '4294967296, 4294967296' 100
make_npy big.npy '<i2' '32, 32'
head -c 66 /dev/zero >>big.npy
printf '\310\000' >>big.npy # 200 at [1, 1]
head -c 1980 /dev/zero >>big.npy
printf 'no array' >text.npy

# The command line.
refuse "a command is missing; see tessera --help"
refuse "unknown command 'frob'; see tessera --help" frob
refuse "run: a program is missing" run --arch wh
refuse "run: only one program can be run, not 'b'" run --arch wh a b
refuse "run: the architecture is missing: --arch wh or --arch bh" run nop.ttasm
refuse "--arch: no architecture is called 'gs' (wh or bh)" run nop.ttasm --arch gs
refuse "run: unknown option '--frob'" run nop.ttasm --frob
refuse "unknown command 'runn' (nearest: 'run'); see tessera --help" runn
refuse "run: unknown option '--tming=on' (nearest: '--timing')" run nop.ttasm --tming=on
refuse "--policy: no finding or category is called 'srcb-rows' (nearest: 'srcb-row')" \
    run nop.ttasm --arch wh --policy srcb-rows=stop
refuse "--findings-fail: no finding or category is called 'races' (nearest: 'race')" \
    run nop.ttasm --arch wh --findings-fail=races
refuse "run: a value is missing after '--in'" run nop.ttasm --in
refuse "run: this option takes no value '--json=5'" run nop.ttasm --json=5
refuse "help: this option takes no value '--help=run'" help --help=run
refuse "--timing: neither on nor off: 'maybe'" run nop.ttasm --arch wh --timing maybe
refuse "--pipeline: neither auto nor staged: 'long'" run nop.ttasm --arch wh --pipeline long
refuse "--policy: no profile is called 'lax' (strict, silicon, conformance, or \
CODE=stop|record|use|ignore)" run nop.ttasm --arch wh --policy lax
refuse "--policy: no action is called 'go' (stop, record, use or ignore)" \
    run nop.ttasm --arch wh --policy srcb-row=go
refuse "--policy: only unguaranteed-order can be ignored, not 'srcb-row'" \
    run nop.ttasm --arch wh --policy srcb-row=ignore
refuse "--policy: no finding or category is called 'frob'" \
    run nop.ttasm --arch wh --policy frob=stop
refuse "--in: this is not NAME=FILE 'A'" run nop.ttasm --arch wh --in A
refuse "--in: two files for one tensor 'A'" run nop.ttasm --arch wh --in A=x --in A=y
refuse "--in: nop.ttasm has no tensor 'A'" run nop.ttasm --arch wh --in A=a.npy
refuse "--out: nop.ttasm has no tensor 'A'" run nop.ttasm --arch wh --out A=old.npy
refuse "--out: two tensors name the same file 'x'" run nop.ttasm --arch wh --out A=x --out B=x
refuse "--trace and --out name the same file 'x'" run nop.ttasm --arch wh --out A=x --trace x
refuse "--max-cycles: this is not a number '-1'" run nop.ttasm --arch wh --max-cycles -1
refuse "--max-cycles: this number has more than 64 bits '0x10000000000000000'" \
    run nop.ttasm --arch wh --max-cycles 0x10000000000000000
refuse "--max-cycles: no cycles pass without --timing on '5'" run nop.ttasm --arch wh --max-cycles 5
refuse "--max-cycles: no cycles pass without --timing on '0'" \
    run nop.ttasm --arch wh --max-cycles 0 --timing off
refuse "--stop-at: this is neither THREAD:NUMBER, THREAD:LABEL nor a cycle 'x'" \
    run nop.ttasm --arch wh --stop-at x
refuse "--stop-at: thread 0 has no such label 'x'" run nop.ttasm --arch wh --stop-at 0:x
refuse "--stop-at: thread 0 issues instructions 1 .. 1, not '2'" \
    run nop.ttasm --arch wh --stop-at 0:2
refuse "--stop-at: a cycle needs --timing on '5'" run nop.ttasm --arch wh --stop-at 5
refuse "--dump: this is none of dst, srca, srcb, cfg, adc, rwc, gpr, sem, lreg and \
l1:ADDRESS:LENGTH 'x'" \
    run nop.ttasm --arch wh --dump dst,x
refuse "--dump: this is not l1:ADDRESS:LENGTH 'l1:16'" run nop.ttasm --arch wh --dump l1:16
refuse "--dump: l1 ends at 0x16e000, and 32 bytes at 0x16dff0 leave it" \
    run nop.ttasm --arch wh --dump l1:0x16dff0:0x20
refuse "--dump-at needs --dump" run nop.ttasm --arch wh --dump-at 0:1
refuse "--dump-at: thread 0 has no such label 'x'" run nop.ttasm --arch wh --dump dst --dump-at 0:x
refuse "--dump-at: a cycle needs --timing on '7'" run nop.ttasm --arch wh --dump dst --dump-at 7
refuse "--trace-from and --trace-to need --trace" \
    run nop.ttasm --arch wh --timing on --trace-from 5
refuse "--trace-from and --trace-to need --timing on" \
    run nop.ttasm --arch wh --trace t --trace-to 5
refuse "--trace-to lies before --trace-from" \
    run nop.ttasm --arch wh --timing on --trace t --trace-from 5 --trace-to 4
refuse "--max-cycles: this number has more than 64 bits '18446744073709551616'" \
    run nop.ttasm --arch wh --max-cycles 18446744073709551616
refuse "--trace-to: this is not a number 'x'" \
    run nop.ttasm --arch wh --timing on --trace t --trace-to x
refuse ".: this is not a regular file" run nop.ttasm --arch wh --trace .
refuse "/dev/null: this is not a regular file" run nop.ttasm --arch wh --trace /dev/null

# One file is one thing, whatever its name.
cp a.npy kept.npy
ln -s a.npy link.npy
ln a.npy hard.npy
printf '.tensor T, bf16, tiled 32x32, 0x1000\n.thread 0\nNOP\n' >both.ttasm
refuse "--out: this file is the array of --in T 'a.npy'" \
    run both.ttasm --arch wh --in T=a.npy --out T=a.npy
refuse "--out: this file is the array of --in T 'link.npy'" \
    run both.ttasm --arch wh --in T=a.npy --out T=link.npy
refuse "--out: this file is the array of --in T './hard.npy'" \
    run both.ttasm --arch wh --in T=link.npy --out T=./hard.npy
refuse "--out: this file is the program './both.ttasm'" \
    run both.ttasm --arch wh --in T=a.npy --out T=./both.ttasm
refuse "--trace: this file is the array of --in T 'hard.npy'" \
    run both.ttasm --arch wh --in T=a.npy --out T=new.npy --trace hard.npy
refuse "--trace: this file is the program 'nop.ttasm'" run nop.ttasm --arch wh --trace nop.ttasm
refuse "--trace and --out name the same file '-'" run nop.ttasm --arch wh --out A=- --trace -
refuse "run: more than one file is the standard input '-'" \
    run both.ttasm --arch wh --in T=- --in U=-
refuse "run: more than one file is the standard input '-'" run - --arch wh --in T=-
printf '.tensor T, bf16, tiled 32x32, 0x1000\n.include "part.ttasm"\n' >whole.ttasm
printf '.thread 0\nNOP\n' >part.ttasm
refuse "--out: this file is a part of the program './part.ttasm'" \
    run whole.ttasm --arch wh --in T=a.npy --out T=./part.ttasm
refuse "--trace: this file is a part of the program 'part.ttasm'" \
    run whole.ttasm --arch wh --in T=a.npy --trace part.ttasm
cmp nop.ttasm part.ttasm || failed=1
cmp a.npy kept.npy || failed=1

# Programs.
# No format has that code, whose name is not offered.
refuse_line '.equ x, reserved1' "unknown symbol 'reserved1'"
refuse_line 'ELWADDD dst=0' "wormhole_b0 has no such instruction 'ELWADDD' (nearest: 'ELWADD')"
refuse_line 'SFPMUL24' "only blackhole_a0, not wormhole_b0, has instruction 'SFPMUL24'"
refuse_line 'ELWADD dst=1024' "1024 does not fit the 10 bits of operand 'dst'"
refuse_line 'cfg FROB = 1' "wormhole_b0 has no such configuration field 'FROB'"
refuse_line 'ELWADD dst=1,' "an operand is missing at the end of the line"
refuse_line 'cfg' "a configuration field is missing at the end of the line"
refuse_line '.tensor T, bf16, tiled 32x32, -16' "an address of L1 is not negative, as -16 is '-'"
refuse_line '.word' "a value is missing here at the end of the line"
refuse_line '.tensor' "this cannot be a tensor's name at the end of the line"
refuse_line '.tensor T bf16' "a ',' is missing before this 'bf16'"
refuse_line '.tensor T, float, row-major, 0' \
    "there is no such array format (fp32, bf16, fp16, bfp8, bfp4, bfp2, int32, int16, int8, \
uint16, uint8) 'float'"
refuse_line '.tensor T, bf16, tiled 32, 0' "a tile's size such as 32x32 is missing here '32'"
refuse_line '.tensor T, bf16, tiled 3x32, 0' \
    "no tile has this size: columns are a multiple of 16, rows 1, 2, 4, 8 or a multiple of 16 \
'3x32'"
refuse_line '.tensor T, bf16, piled 32x32, 0' \
    "the layout is 'tiled ROWSxCOLS' or 'row-major', not this 'piled'"
refuse_line '.tensor T, bf16, tiled 32x32, 8' "an address is a multiple of 16, and 0x8 is not '8'"
refuse_line '.tensor T, bf16, tiled 32x32, 0x16e000' "address 0x16e000 is outside L1 '0x16e000'"
refuse_line '.tensor T, bf16, tiled 32x32, 0, up' \
    "this is none of in, out, inout, scratch, like, shape and header 'up'"
refuse_line '.tensor T, bf16, tiled 32x32, 0, like U' "no tensor of this name stands above 'U'"
refuse_line '.tensor T, bf16, tiled 32x32, 0, shape 1x1x0' "a dimension is 0 or too large '1x1x0'"

# Tensors and their files.
tile='.tensor T, bf16, tiled 32x32, 0x1000'
refuse_line "$tile" "neither --in T=FILE nor --out T=FILE is given for this tensor 'T'"
refuse_line "$tile, in" "no --in gives a file for this tensor 'T'"
refuse_line "$tile, out, shape 32x32" "no --out gives a file for this tensor 'T'"
refuse_line "$tile, in" "--out gives a file, and the program does not write this tensor 'T'" \
    --in T=a.npy --out T=old.npy
refuse_line "$tile, scratch, shape 32x32" \
    "--in gives a file, and the program does not read this tensor 'T'" --in T=a.npy
refuse_line "$tile" "the shape is missing: 'like TENSOR' or 'shape ROWSxCOLS' 'T'" --out T=old.npy
refuse_line "$tile, shape 32x64" \
    "a.npy has shape (64, 64), and the program gives another one to this tensor 'T'" --in T=a.npy
refuse_line "$tile" "text.npy: this is not a .npy file" --in T=text.npy
refuse_line "$tile" "int.npy: tensor 'T' of format bf16 takes an array of floats, not 'int32'" \
    --in T=int.npy
refuse_line '.tensor T, int8, tiled 32x32, 0' \
    "a.npy: tensor 'T' of format int8 takes an array of integers, not 'float32'" --in T=a.npy
refuse_line "$tile" \
    "double.npy: 64-bit numbers are not taken, as no tile holds them; convert the array first \
'<f8'" \
    --in T=double.npy
refuse_line "$tile" "order.npy: the array is in Fortran order; save it in C order" --in T=order.npy
refuse_line "$tile" \
    "short.npy: the file is cut short: 100 bytes of items where 16384 belong" --in T=short.npy
{
    printf '\223NUMPY\001\000\166\000'
    printf "%-117s\n" "{'descr': '<f4', 'fortran_order': False, 'shape': (64, 64)} or not"
    head -c 16384 /dev/zero
} >more.npy
refuse_line "$tile" "more.npy: the .npy header cannot be read at 'or not              '" \
    --in T=more.npy
refuse_line "$tile" \
    "huge.npy: no file holds as many items as its header says" --in T=huge.npy
refuse_line "$tile" \
    "the last dimensions of tensor 'T' do not divide into tiles of 32x32 '64x40'" --in T=odd.npy
refuse_line "$tile" "tensor 'T' has 1 dimension, and tiles need two" --in T=flat.npy
refuse_line '.tensor T, bf16, tiled 32x32, 0x16d000' \
    "the tensor ends at 0x16f000, and L1 of wormhole_b0 at 0x16e000 'T'" --in T=a.npy

printf '.tensor T, bf16, tiled 32x32, 0x1000\n.tensor U, int8, row-major, 0x2ff0, shape 32\n' \
    >two.ttasm
refuse "two.ttasm:2: the tensor at 0x2ff0 .. 0x300f overlaps tensor 'T' of line 1 at \
0x1000 .. 0x2fff 'U'" run two.ttasm --arch bh --in T=a.npy --out U=old.npy
printf '.tensor T, int8, tiled 32x32, 0\n.thread 0\nNOP\n' >int8.ttasm
refuse "big.npy: element [1, 1] is outside -127 .. 127 of int8 '200'" \
    run int8.ttasm --arch wh --in T=big.npy

# The other commands.
printf '28c08000\n# a comment\n\nzz\n' >words
refuse_words()
{
    "$TESSERA" disasm --arch wh words >stdout 2>stderr && failed=1
    [ "$(cat stderr)" = "tessera: words:4: this is not a word of up to eight hexadecimal digits \
'zz'" ] || failed=1
    [ "$(wc -l <stdout)" = 1 ] || failed=1
}
refuse_words
head -c 9 /dev/zero >zeros
refuse "zeros:1: a NUL byte stands here" disasm --arch wh zeros
cp words vectors.txt
refuse "vectors.txt: no kind of vectors is called 'vectors' (dot16, elwmul, elwadd, unpack, pack, \
pack_bfp, l1acc, fma, sfpu_ops)" check vectors.txt
refuse "disasm: exactly one FILE is needed" disasm --arch wh
refuse "disasm: the architecture is missing: --arch wh or --arch bh" disasm words
printf '\177ELF\001\001\001\000' >kernel.elf
refuse "kernel.elf: this is an ELF file, no text; --elf CORE=FILE runs it" \
    run kernel.elf --arch wh
printf 'NOP\n# caf\351\n' >latin
refuse "latin:2:6: this is not UTF-8 '0xe9'" asm --arch wh latin
refuse "latin:2:6: this is not UTF-8 '0xe9'" run latin --arch wh
printf '.thread 0\nNOP\n.include "latin"\n' >outer
refuse "outer:3: .include: latin:2:6: this is not UTF-8 '0xe9'" run outer --arch wh
refuse "explain: exactly one NAME, or --list, is needed" explain
refuse "explain: there is no such instruction, field, finding, category or format 'qqq'" explain qqq
refuse "explain: there is no such instruction, field, finding, category or format 'UNPACRS' \
(nearest: 'UNPACR')" explain UNPACRS
refuse "status: no instruction with a table of modes is called 'NOP'" status NOP
refuse "status: one NAME at most" status UNPACR PACR
refuse "--findings-fail: no finding or category is called ''" \
    run nop.ttasm --arch wh --findings-fail=
refuse "--findings-fail: no finding or category is called ''" \
    run nop.ttasm --arch wh --findings-fail=race,
export TESSERA_RACES=maybe
refuse "TESSERA_RACES: neither on nor off: 'maybe'" run nop.ttasm --arch wh
refuse "TESSERA_RACES: neither on nor off: 'maybe'" run --chip wh --elf 1,1:brisc=x
unset TESSERA_RACES
refuse "--load needs --elf" explore nop.ttasm --arch wh --load a.npy@0
refuse "--until needs --elf" explore nop.ttasm --arch wh --until 0=0
refuse "--max-cycles needs --elf" explore nop.ttasm --arch wh --max-cycles 5
refuse "--in: compiled programs have no tensors" explore --elf trisc0=x --arch wh --in T=a.npy
refuse "--out: compiled programs have no tensors" explore --elf trisc0=x --arch wh --out T=old.npy
refuse "unknown command 'frob'; see tessera --help" help frob
refuse "help: one COMMAND at most" help run check
refuse "unknown command 'frob'; see tessera --help" man frob
refuse "man: one COMMAND at most, and none with --list" man --list run
refuse "completion: exactly one shell is needed: bash, zsh or fish" completion
refuse "completion: no shell is called 'ksh' (bash, zsh or fish)" completion ksh

[ $failed = 0 ] && echo "every wrong input is refused with its sentence"
exit $failed
