#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# `run --chip` and `--grid`: programs on several tiles give what they give on one; reports name
# tiles; wrong options and descriptions are refused in one sentence each.
set -eu
: "${TESSERA:?}" "${SOURCE_DIR:?}" "${CC:=cc}"
. "$SOURCE_DIR/tests/programs/common.sh"
needs_riscv_compiler
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

# bad_grid LINE SENTENCE: the description of the standard input.
bad_grid()
{
    cat >bad.yaml
    refused 2 "bad.yaml:$1: $2" --grid bad.yaml --chip wh
}

# compile NAME CORE: a program of the standard input.
compile()
{
    cat >"$1.c"
    riscv64-unknown-elf-gcc -march=rv32im -mabi=ilp32 -O2 -g -ffreestanding -nostdlib \
        -DARCH_WORMHOLE -Iwh/include -T "wh/$2.ld" -o "$1.elf" "$1.c"
}

# ---------------------------------------------------------------- the same as on one tile

"$CC" -O1 -o array_tiles "$SOURCE_DIR/examples/eltwise_c/array_tiles.c"
cp "$SOURCE_DIR/examples/add/a.npy" "$SOURCE_DIR/examples/add/b.npy" .
./array_tiles pack a.npy a.bin
./array_tiles pack b.npy b.bin
for arch in wh bh; do
    "$SOURCE_DIR/examples/eltwise_c/build.sh" $arch $arch
    programs=brisc=$arch/brisc.elf,trisc0=$arch/unpack.elf
    programs=$programs,trisc1=$arch/math.elf,trisc2=$arch/pack.elf
    "$TESSERA" run --arch $arch --elf $programs --load a.bin@0x20000 --load b.bin@0x80000 \
        --dump 0xe0000:32768=one.bin >report.txt
    "$TESSERA" run --chip $arch --elf "1-2,2-3:$programs" --load a.bin@1-2,2-3:0x20000 \
        --noc-write 1-2,2-3:0x80000=b.bin --dump 2,3:0xe0000:32768=four.bin >four.txt
    cmp one.bin four.bin
    has four.txt 'unit of all 4 tiles'
    for timing in on off; do
        for threads in 1 2; do
            "$TESSERA" run --chip $arch --elf "1-2,2-3:$programs" --load a.bin@1-2,2-3:0x20000 \
                --noc-write 1-2,2-3:0x80000=b.bin --dump 1,2:0xe0000:32768=- --timing $timing \
                --threads $threads 2>$timing$threads.txt >four.bin
            cmp one.bin four.bin
        done
        cmp ${timing}1.txt ${timing}2.txt
    done

    mkdir -p grid
    cat >grid/eltwise.yaml <<END
chip: $arch
programs:
  - tiles: 1-2,2-3
    brisc: ../$arch/brisc.elf
    trisc0: ../$arch/unpack.elf
    trisc1: ../$arch/math.elf
    trisc2: ../$arch/pack.elf
write:
  - node: 1-2,2-3
    address: 0x20000
    array: ../a.npy
    format: bf16
  - node: 1-2,2-3
    address: 0x80000
    file: ../b.bin
  - node: 0,0 # DRAM
    address: 0x1000
    words: [1, 0x20, 3]
dump:
  - {node: "1,3", address: 0xe0000, size: 32768, file: four.bin}
  - node: 2,2
    address: 0xe0000
    array: sum.npy
    format: bf16
    shape: [128, 128]
  - {node: "0,0", address: 0x1000, size: 8, file: words.bin}
END
    "$TESSERA" run --grid grid/eltwise.yaml >grid.txt
    cmp one.bin grid/four.bin
    ./array_tiles unpack one.bin sum.npy
    cmp sum.npy grid/sum.npy
    [ "$(od -An -tx4 grid/words.bin | tr -d ' ')" = 0000000100000020 ] || fail 'words in DRAM'
    # A word that core T2 leaves when it is done.
    "$TESSERA" run --grid grid/eltwise.yaml --until 2,3:0x1ffc0=0xff >until.txt
    has until.txt 'came to what --until says'
done
"$TESSERA" run --grid grid/eltwise.yaml --json >report.json
has report.json '"end": "idle"'
[ "$(grep -c '"name": "trisc2"' report.json)" = 4 ] || fail "cores in JSON"

# ---------------------------------------------------------------- reports name tiles

compile hang trisc1 <<'END'
#include <tessera/kernel/kernel.h>
#include <tessera/kernel/start.h>
int main(void)
{
    TTI(SEMWAIT, sem_sel(2), wait_sem_cond(p_stall_STALL_ON_ZERO), stall_res(p_stall_STALL_MATH));
    TTI(ZEROSRC, src_mask(1));
    tt_done(1);
    return 0;
}
END
compile wild brisc <<'END'
#include <tessera/kernel/kernel.h>
#include <tessera/kernel/start.h>
int main(void)
{
    tt_store(0xfff00000, 1);
    return 0;
}
END
got=0
"$TESSERA" run --chip wh --elf 1,1:trisc1=hang.elf --elf 6-9,7-11:trisc1=hang.elf >out 2>err ||
    got=$?
[ $got = 1 ] || fail "a deadlock: exit status $got"
has out 'tile 9,11: core T1: its load at '
has out 'inlined in main (hang.c:7)'
has err 'hang.elf: deadlock'
got=0
"$TESSERA" run --chip wh --elf 1,2:brisc=wild.elf --policy strict >out 2>err || got=$?
[ $got = 1 ] || fail "a finding: exit status $got"
has out '    tile: 1,2'
has out 'core: brisc at 0x'
has err 'tessera: tile 1,2: wild.c:5: deadlock (unmapped-address)'
got=0
"$TESSERA" run --chip wh --elf 1,2:brisc=wild.elf --json >out 2>err || got=$?
[ $got = 1 ] || fail "a core that hangs: exit status $got"
has err 'tile 1,2: brisc: hangs at 0x'
has out '"node": "tensix"'
has out '"function": "main"'
got=0
"$TESSERA" run --chip wh --elf 1,2:brisc=wild.elf --until 1,2:0x100=7 >out 2>err || got=$?
[ $got = 1 ] || fail "no word of --until: exit status $got"

compile never brisc <<'END'
#include <tessera/kernel/noc.h>
#include <tessera/kernel/start.h>
int main(void)
{
    tt_noc_write(1, 5, 0x20000, TT_NOC_XY(0, 0), 0x170000, 64);
    tt_noc_wait_acks(1, 0, 5);
    return 0;
}
END
got=0
"$TESSERA" run --chip wh --elf 2-4,3:brisc=never.elf >out 2>err || got=$?
[ $got = 1 ] || fail "an acknowledgement that never comes: exit status $got"
has out 'tile 2,3: core B: its loop at 0x'
has out 'NIU_MST_WR_ACK_RECEIVED of NoC 1'
has out "what comes of this tile's requests on NoC 1 would release it"
has out 'never.c:5: undefined-behaviour (noc-address): A request writes 64 bytes'
has out '    tiles: 2,3 3,3 4,3'
[ "$(grep -c '(noc-address)' out)" = 1 ] || fail 'equal findings of several tiles are not one'

# ---------------------------------------------------------------- stops, registers, harvesting

compile steps brisc <<'END'
#include <tessera/kernel/kernel.h>
#include <tessera/kernel/start.h>
static __attribute__((noinline)) void last(void)
{
    tt_store(0x30000, 2);
}
int main(void)
{
    TTI(SETDMAREG, Payload_SigSel(7), RegIndex16b(2));
    tt_store(0x30000, 1);
    if (tt_load(0x30004) == 0)
        last();
    return 0;
}
END
printf '\0\0\0\0\0\0\0\0' >zero.bin
steps="--chip wh --elf 1-2,1:brisc=steps.elf --load zero.bin@1-2,1:0x30000 --harvested 4"
"$TESSERA" run $steps --stop-at last --dump 2,1:gpr,l1:0x30000:4 --dump 1,2:gpr \
    --dump 1,1:0x30000:4=not.bin >stop.txt
has stop.txt 'was stopped where --stop-at says'
has stop.txt 'stopped at 0x'
has stop.txt 'in last (steps.c:5)'
has stop.txt 'tile 2,1:'
has stop.txt '030000  01 00 00 00'
grep -A 1 'tile 1,2:' stop.txt | grep -qx 'fused off' || fail "harvested: $(cat stop.txt)"
[ ! -e not.bin ] || fail "a run that stops writes files"
"$TESSERA" run $steps --stop-at brisc:steps.c:10 --timing on --json \
    --dump 2,1:l1:0x30000:4 >stop.json
has stop.json '"end": "break"'
has stop.json '030000  00 00 00 00'
printf '\0\0\0\0\1\0\0\0' >one.word
got=0
"$TESSERA" run --chip wh --elf 1,1:brisc=steps.elf --load one.word@1,1:0x30000 --stop-at last \
    >out 2>err || got=$?
[ "$got" = 2 ] || fail "a place that is not reached: $got, $(cat err)"
has err "--stop-at: the programs ended before that place 'last'"

# What has stopped a tile is named, not what another tile goes on from.
compile unwritten brisc <<'END'
#include <tessera/kernel/kernel.h>
#include <tessera/kernel/start.h>
int main(void)
{
    return tt_load(0x30000) == 1;
}
END
compile unknown brisc <<'END'
#include <tessera/kernel/kernel.h>
#include <tessera/kernel/start.h>
int main(void)
{
    for (int i = 0; i < 300; i++)
        __asm__ volatile("");
    __asm__ volatile(".word 0x0000707f");
    return 0;
}
END
got=0
"$TESSERA" run --chip wh --elf 1,1:brisc=unwritten.elf --elf 2,1:brisc=unknown.elf \
    --policy uninitialised-l1=use,core-unknown-instruction=stop >out 2>err || got=$?
[ $got = 1 ] || fail "a finding that stops: exit status $got"
has out '(uninitialised-l1)'
has err 'tessera: tile 2,1: unknown.c:'
has err '(core-unknown-instruction)'

# Dumps on the way, each of a run of its own, then the one of the end; a core of any tile counts.
for timing in off on; do
    "$TESSERA" run $steps --dump-at brisc:steps.c:10,last --dump 2,1:l1:0x30000:4 \
        --timing $timing --threads 2 >at.txt
    sed -n '/^at /p; /^030000/p' at.txt >got.txt
    printf '%s\n' 'at brisc:steps.c:10:' '030000  00 00 00 00' 'at last:' '030000  01 00 00 00' \
        'at the end:' '030000  02 00 00 00' >want.txt
    cmp got.txt want.txt || fail "dumps on the way: $(cat at.txt)"
    has at.txt 'completed'
done
"$TESSERA" run $steps --dump-at last --stop-at main --dump 2,1:gpr --json >at.json
has at.json '"at last:",'
has at.json '"end": "break"'
# Each run reads the arrays of a description again, and frees them.
"$TESSERA" run --grid grid/eltwise.yaml --dump 2,3:cfg --dump-at brisc:main >cfg.txt
has cfg.txt 'by thread 0'
got=0
"$TESSERA" run --chip wh --elf 1,1:brisc=steps.elf --load one.word@1,1:0x30000 --dump-at last \
    --dump 1,1:gpr --dump 1,1:0x30000:4=not.bin >out 2>err || got=$?
[ "$got" = 2 ] || fail "a dump at a place that is not reached: $got, $(cat err)"
has err "--dump-at: the programs ended before that place 'last'"
has out 'not reached'
[ ! -e not.bin ] || fail "a place is missed, and files are written"

# ---------------------------------------------------------------- other orders of a tile's own

for schedule in eager late random:7; do
    "$TESSERA" run --grid grid/eltwise.yaml --schedule $schedule --threads 2 >out
    cmp one.bin grid/four.bin
done

# ---------------------------------------------------------------- a host's steps

# It takes a command that comes after it has cleared the word, as vendors' test kernels do.
compile server brisc <<'END'
#include <tessera/kernel/kernel.h>
#include <tessera/kernel/start.h>
enum { COMMAND = 0x30000, ANSWER = 0x30010 };
int main(void)
{
    for (uint32_t i = 0; i < 500; i++)
        tt_store(COMMAND, 0);
    for (uint32_t command; (command = tt_load(COMMAND)) != 9;)
        if (command != 0) {
            tt_store(COMMAND, 0);
            tt_store(ANSWER, 2 * command);
        }
    return 0;
}
END
# host ANSWER: a description whose host wants that answer to its command 21.
host()
{
    cat <<END
chip: wh
programs: [{tiles: "3,4", brisc: server.elf}]
host:
  - write: {node: "3,4", address: 0x30000, words: [7]} # is lost
  - cycles: 3000
  - write: {node: "3,4", address: 0x30000, words: [21]}
  - until: {node: "3,4", address: 0x30010, value: $1}
  - write: {node: "3,4", address: 0x30000, words: [9]}
dump: [{node: "3,4", address: 0x30010, size: 4, file: answer.bin}]
END
}
host 42 >host.yaml
for timing in off on; do
    "$TESSERA" run --grid host.yaml --timing $timing >out
    has out 'host.yaml on wormhole_b0 completed'
    [ "$(od -An -tx4 answer.bin | tr -d ' ')" = 0000002a ] || fail "the answer of a kernel"
done
host 43 >host.yaml
got=0
"$TESSERA" run --grid host.yaml >out 2>err || got=$?
[ $got = 1 ] || fail "a word that never comes: exit status $got"
has err 'host.yaml: the word of host.yaml:7 did not come: deadlock'
has out 'tile 3,4: core B: its loop at 0x'
got=0
"$TESSERA" run --grid host.yaml --max-cycles 1000 >out 2>err || got=$?
[ $got = 1 ] || fail "steps and --max-cycles: exit status $got"
has out 'used up its cycles'

# ---------------------------------------------------------------- the trace of a tile

"$TESSERA" run --grid grid/eltwise.yaml --timing on --threads 2 --trace 2,3=two.json >out
"$TESSERA" run --grid grid/eltwise.yaml --timing on --trace 2,3=- >one.json 2>err
cmp one.json two.json
has one.json 'PACR'
refused 2 "--trace: with --chip this is not X,Y=FILE 't.json'" --grid grid/eltwise.yaml \
    --trace t.json
refused 2 "--trace: this file is the one of --grid 'grid/eltwise.yaml'" \
    --grid grid/eltwise.yaml --trace 2,3=grid/eltwise.yaml
refused 2 '--trace: node 0,0 of blackhole_a0 is no Tensix tile' --grid grid/eltwise.yaml \
    --trace 0,0=t.json
refused 2 '--trace-from and --trace-to need --trace and --timing on' --grid grid/eltwise.yaml \
    --trace-from 3

# ---------------------------------------------------------------- options

refused 2 "--elf: this is neither X,Y nor X-X,Y-Y '1'" --chip wh --elf 1:brisc=hang.elf
one="--chip wh --elf 1,1:trisc1=hang.elf"
refused 2 "--chip: no chip is called 'gs' (wh or bh)" --chip gs
refused 2 'no tile has a program' --chip wh
refused 2 "--elf: the tile is missing, X,Y: in front of 'brisc=hang.elf'" --chip wh \
    --elf brisc=hang.elf
refused 2 "--elf: no core is called 'xrisc'" --chip wh --elf 1,1:xrisc=hang.elf
refused 2 'node 0,0 of wormhole_b0 is no Tensix tile, but dram' --chip wh --elf 0,0:brisc=wild.elf
refused 2 'the grid of wormhole_b0 has 10 columns and 12 rows, and 10,1 leaves it' --chip wh \
    --elf 10,1:brisc=wild.elf
refused 2 'no Tensix tile of blackhole_a0 is in 8-9,2-3' --chip bh --elf 8-9,2-3:brisc=wild.elf
refused 2 "tile 1,1 has programs already, from '1,1'" $one --elf 1-2,1:brisc=wild.elf
refused 2 "--noc-write: this is not X,Y:ADDRESS=FILE '1,1:0'" $one --noc-write 1,1:0
refused 2 "--noc-write: no address stands behind X,Y: in '1,1:x=a.bin'" $one \
    --noc-write 1,1:x=a.bin
refused 2 'node 1,1 does not take' $one --noc-write 1,1:0x16d000=a.bin
refused 2 "--load: this is not FILE@X,Y:ADDRESS 'a.bin'" $one --load a.bin
refused 2 "--dump: the tile is missing, X,Y: in front of 'dst'" $one --dump dst
refused 2 "--dump: this is none of dst" $one --dump 1,1:dest
refused 2 "--dump: one tile is meant here, not a range '1-2,1:gpr'" $one --dump 1-2,1:gpr
refused 2 '--dump: node 0,0 of wormhole_b0 is no Tensix tile' $one --dump 0,0:gpr
refused 2 '--dump-at needs --dump X,Y:WHAT' $one --dump-at main
refused 2 "--dump-at: no program has code of that function or line" $one --dump 1,1:gpr \
    --dump-at main,nowhere
refused 2 '--schedule: with --timing on the costs decide' $one --schedule late --timing on
refused 2 '--schedule: none of card, eager, late, random' $one --schedule soon
refused 2 '--harvested: tile 1,1 is fused off, and has a program' $one --harvested 2
refused 2 '--harvested: wormhole_b0 has 12 rows, and 0x1000 names others' $one --harvested 0x1000
refused 2 "--harvested: this is not a number 'row'" $one --harvested row
refused 2 "--stop-at: no program has code of that function or line" $one --stop-at nowhere
refused 2 '--dump: L1 has 0x16e000 bytes, and 0x2 at 0x16dfff leave it' $one \
    --dump 1,1:0x16dfff:2=c.bin
refused 2 '--dump: one node is meant here, not a range' $one --dump 1-2,1:0:2=c.bin
refused 2 "--dump: no bytes are asked for '1,1:0:0=c.bin'" $one --dump 1,1:0:0=c.bin
refused 2 "--dump: this file is a program 'hang.elf'" $one --dump 1,1:0:2=hang.elf
refused 2 "--trace: this file is a program 'hang.elf'" $one --trace 1,1=hang.elf
refused 2 "--trace: this file is read, too 'a.bin'" $one --trace 1,1=a.bin --load a.bin@1,1:0
refused 2 "--dump: this file is a program 'hang.elf'" --chip wh --elf 1,0:erisc=hang.elf \
    --dump 1,0:0:2=hang.elf
refused 2 "--trace: only one tile can be traced, not '1,1=u.json'" $one --trace 1,1=t.json \
    --trace 1,1=u.json
refused 2 "--dump: this file is read, too 'a.bin'" $one --dump 1,1:0:2=a.bin --load a.bin@1,1:0
refused 2 '--until: a word begins at a multiple of 4' $one --until 1,1:2=1
refused 2 "--until: with --chip this is not X,Y:ADDRESS=VALUE '0=1x'" $one --until 0=1x
refused 2 "--in: compiled programs have no tensors; 'write' and 'dump' of --grid" $one --in A=a.npy
refused 2 "--out: compiled programs have no tensors" $one --out A=a.npy
refused 2 '--arch: with --chip or --grid the chip is --chip wh or --chip bh' $one --arch wh
refused 2 "with --chip or --grid there is no program 'x.ttasm'" $one x.ttasm
refused 2 '--noc-write needs --chip or --grid' --arch wh --noc-write 1,1:0=a.bin x.ttasm
refused 2 "--threads: more than 64 '65'" $one --threads 65
refused 5 'nowhere.elf: the file cannot be opened' --chip wh --elf 1,1:brisc=nowhere.elf
refused 5 'nowhere.bin: the file cannot be opened' $one --noc-write 1,1:0=nowhere.bin
refused 5 'nowhere/c.bin: the file cannot be' $one --dump 1,1:0:4=nowhere/c.bin
refused 5 'nowhere.yaml: the file cannot be opened' --grid nowhere.yaml

# ---------------------------------------------------------------- descriptions

bad_grid 4 "'words' has no number" <<'EOF'
write:
  - node: 1,1
    address: 0
    words: []
EOF
bad_grid 2 'this is no YAML' <<'END'
chip: [wh
programs: {
END
bad_grid 1 "keys with values are expected here, as in 'chip: …'" <<'END'
- chip
END
keys='chip, chips, links, programs, write, host, dump, until'
bad_grid 1 "no key is called 'program'; there are $keys (nearest: 'programs')" <<'END'
program: 1
END
bad_grid 1 "no key is called '1'; there are tiles, brisc, trisc0, trisc1, trisc2, ncrisc, erisc, \
erisc1 (between braces X,Y has to be quoted)" <<'END'
programs: [{tiles: 1,1, brisc: hang.elf}]
END
bad_grid 1 "a key is a word; there are $keys" <<'END'
[chip]: wh
END
bad_grid 2 "'chip' stands here twice" <<'END'
chip: wh
chip: wh
END
bad_grid 1 'the file is for blackhole_a0, and --chip says wormhole_b0' <<'END'
chip: bh
END
bad_grid 1 "'programs' is a list, each item behind a '-'" <<'END'
programs: hang.elf
END
bad_grid 3 "'tiles' is missing" <<'END'
chip: wh
programs:
  - brisc: wild.elf
END
bad_grid 2 'no core has a program here' <<'END'
programs:
  - tiles: 1,1
END
bad_grid 2 "this is neither X,Y nor X-X,Y-Y '1'" <<'END'
programs:
  - tiles: 1
END
bad_grid 3 "one of 'file', 'array' and 'words' says what is written" <<'END'
chip: wh
write:
  - node: 1,1
    address: 0
END
bad_grid 3 "'address' is no number '0x'" <<'END'
write:
  - node: 1,1
    address: 0x
    file: a.bin
END
bad_grid 3 "'address' is too large '0x10000000000000000'" <<'END'
write:
  - node: 1,1
    address: 0x10000000000000000
    file: a.bin
END
bad_grid 5 "no format of arrays is called 'bf17'" <<'END'
write:
  - node: 1,1
    address: 0x20
    array: a.npy
    format: bf17
END
bad_grid 2 "a file comes with 'size'" <<'END'
dump:
  - {node: "1,1", address: 0, file: c.bin}
END
bad_grid 2 'a dump of no bytes' <<'END'
dump:
  - {node: "1,1", address: 0, size: 0, file: c.bin}
END
bad_grid 6 'an array has no dimension of 0' <<'END'
dump:
  - node: 1,1
    address: 0
    array: c.npy
    format: bf16
    shape: [0, 32]
END
bad_grid 6 'the last dimensions of tensor' <<'END'
dump:
  - node: 1,1
    address: 0
    array: c.npy
    format: bf16
    shape: [12, 32]
END
bad_grid 2 "a step of the host is one of 'cycles', 'write' and 'until'" <<'END'
host:
  - cycles: 3
    until: {node: "1,1", address: 0, value: 1}
END
bad_grid 2 "'value' is missing" <<'END'
until:
  {node: "1,1", address: 0}
END
: >bad.yaml
refused 2 'bad.yaml: the file says nothing' --grid bad.yaml
printf 'programs: [{tiles: "1,1", brisc: wild.elf}]\n' >bad.yaml
refused 2 'the chip is missing (--chip wh or --chip bh)' --grid bad.yaml

# Of a long path the end counts, where the file's name and the line are.
long=$(printf '%120s' '' | tr ' ' x)
mkdir -p "$long/$long"
echo 'program: 1' >"$long/$long/deep.yaml"
refused 2 "x/deep.yaml:1: no key is called 'program'" --grid "$long/$long/deep.yaml" --chip wh
echo "chips run, and wrong input is refused"
