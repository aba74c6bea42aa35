#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# `run --elf`: what is wrong with options and files is said in one sentence each.
set -eu
: "${TESSERA:?}" "${SOURCE_DIR:?}" "${CC:=cc}"
. "$SOURCE_DIR/tests/programs/common.sh"
needs_riscv_compiler
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

"$SOURCE_DIR/examples/eltwise_c/build.sh" wh wh
cp wh/brisc.elf brisc.elf
cp wh/unpack.elf unpack.elf
echo 'int main(void) { return 0; }' >program.c
"$CC" program.c -o host.elf
riscv64-unknown-elf-gcc -march=rv64im -mabi=lp64 -ffreestanding -nostdlib -Wl,-emain program.c \
    -o wide.elf
riscv64-unknown-elf-gcc -march=rv32im -mabi=ilp32 -c program.c -o object.elf
riscv64-unknown-elf-gcc -march=rv32im -mabi=ilp32 -ffreestanding -nostdlib -Wl,-emain program.c \
    -Wl,-Ttext=0x400000 -o far.elf
echo 'this is no program' >garbage.elf
head -c 60 brisc.elf >short.elf
: >empty.elf

# ---------------------------------------------------------------- options

refused 2 "--elf: this is not CORE=FILE 'brisc'" --arch wh --elf brisc
refused 2 "--elf: no core is called 'erisc'" --arch wh --elf erisc=brisc.elf
refused 2 "--elf: a tile stands before CORE=FILE only with --chip or --grid, and once: \
'1,2:brisc=brisc.elf'" --arch wh --elf 1,2:brisc=brisc.elf
refused 2 "--elf: two files for brisc 'unpack.elf'" --arch wh --elf brisc=brisc.elf \
    --elf brisc=unpack.elf
refused 2 'the architecture is missing' --elf brisc=brisc.elf
refused 2 "with --elf there is no program 'x.ttasm'" --arch wh --elf brisc=brisc.elf x.ttasm
refused 2 '--in: compiled programs have no tensors' --arch wh --elf brisc=brisc.elf --in A=a.npy
refused 2 '--dump-at needs --dump' --arch wh --elf brisc=brisc.elf --dump-at main
refused 2 '--load needs --elf' --arch wh --load a.bin@0 x.ttasm
refused 2 '--until needs --elf' --arch wh --until 0=0 x.ttasm
refused 2 '--dump ADDRESS:LENGTH=FILE needs --elf' --arch wh --dump 0:4=x.bin x.ttasm
refused 2 "--load: this is not FILE@ADDRESS 'a.bin'" --arch wh --elf brisc=brisc.elf --load a.bin
refused 2 "--dump: this is not ADDRESS:LENGTH=FILE '0x100=c.bin'" --arch wh \
    --elf brisc=brisc.elf --dump 0x100=c.bin
refused 2 "--dump: no bytes are asked for '0:0=c.bin'" --arch wh --elf brisc=brisc.elf \
    --dump 0:0=c.bin
refused 2 "--dump: L1 has 0x16e000 bytes, and 'c.bin' leaves it" --arch wh \
    --elf brisc=brisc.elf --dump 0x16dfff:2=c.bin
refused 2 "--dump: this file is a program 'brisc.elf'" --arch wh --elf brisc=brisc.elf \
    --dump 0:4=brisc.elf
refused 2 "--trace: this file is a program './brisc.elf'" --arch wh --elf brisc=brisc.elf \
    --trace ./brisc.elf
refused 2 "--trace: this file is one of --load 'a.bin'" --arch wh --elf brisc=brisc.elf \
    --load a.bin@0x20000 --trace a.bin
refused 2 "--trace: this is a file of --dump, too 'c.bin'" --arch wh --elf brisc=brisc.elf \
    --dump 0:4=c.bin --trace c.bin
refused 2 "--until: this is not ADDRESS=VALUE '0x100'" --arch wh --elf brisc=brisc.elf \
    --until 0x100
refused 2 'a word of L1 begins at a multiple of 4' --arch wh --elf brisc=brisc.elf --until 2=1
refused 2 'a word of L1 begins at a multiple of 4' --arch wh --elf brisc=brisc.elf \
    --until 0000000000000000000000000002=1
refused 2 '0x16e000 is none of them' --arch wh --elf brisc=brisc.elf --until 0x16e000=1
refused 2 "--stop-at: no program has code of that function or line" --arch wh \
    --elf brisc=brisc.elf --stop-at nowhere
refused 2 "'trisc0:main'" --arch wh --elf brisc=brisc.elf --stop-at trisc0:main
refused 2 "'brisc.c:0'" --arch wh --elf brisc=brisc.elf --stop-at brisc.c:0
refused 2 "'brisc.c:9999'" --arch wh --elf brisc=brisc.elf --stop-at brisc.c:9999

# ---------------------------------------------------------------- files

refused 5 'nowhere.elf: the file cannot be opened' --arch wh --elf brisc=nowhere.elf
refused 5 'nowhere.bin: the file cannot be opened' --arch wh --elf brisc=brisc.elf \
    --load nowhere.bin@0
refused 5 'nowhere/c.bin: the file cannot be' --arch wh --elf brisc=brisc.elf \
    --dump 0:4=nowhere/c.bin
refused 2 'garbage.elf: the file is no ELF file' --arch wh --elf brisc=garbage.elf
refused 2 'empty.elf: the file is no ELF file' --arch wh --elf brisc=empty.elf
refused 2 'short.elf: the file ends within its program headers' --arch wh --elf brisc=short.elf
refused 2 'wide.elf: the file is a 64-bit ELF file' --arch wh --elf brisc=wide.elf
refused 2 'host.elf: the file is' --arch wh --elf brisc=host.elf
refused 2 'object.elf: the file is no executable' --arch wh --elf brisc=object.elf
refused 2 'far.elf: a segment of' --arch wh --elf brisc=far.elf
refused 2 'unpack.elf: the file and unpack.elf overlap' --arch wh \
    --elf trisc0=unpack.elf,trisc1=unpack.elf
refused 2 'too many at 0x16dff0' --arch wh --elf brisc=brisc.elf --load brisc.elf@0x16dff0

# Core B begins at 0, and cannot be led from there to the program's entry.
printf '.globl late\nnop\nlate: j late\n' >late.s
riscv64-unknown-elf-gcc -march=rv32im -mabi=ilp32 -nostdlib -Wl,-elate,-Ttext=0 late.s -o late.elf
refused 2 'late.elf: core B begins at address 0, where late.elf has something, and its entry is' \
    --arch wh --elf brisc=late.elf

# A disk that is full in the middle of a file, here a limit of 4096 bytes: the sentence says so.
printf '.globl loop\nloop: j loop\n' >loop.s
riscv64-unknown-elf-gcc -march=rv32im -mabi=ilp32 -nostdlib -Wl,-eloop,-Ttext=0x6000 loop.s \
    -o loop.elf
small_disk()
{
    got=0
    (
        trap '' XFSZ
        ulimit -f 8
        "$TESSERA" run "$@" --dump "${place}0:65536=bytes" >out 2>err
    ) || got=$?
    [ "$got" = 5 ] || fail "$*: exit status $got, $(cat err)"
    has err 'bytes: the file cannot be written: File too large'
    [ -z "$(ls | grep '^bytes' || true)" ] || fail "$*: a part of the file was left"
}
place=
small_disk --arch wh --elf trisc0=loop.elf
place=1,1:
small_disk --chip wh --elf 1,1:trisc0=loop.elf
echo "wrong input is refused"
