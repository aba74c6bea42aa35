#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# `run --grid` and `--links` with several chips: what a tile does there is what it does on a chip
# alone; words of options and descriptions, reports, stops and ends name chips and count on each of
# them; wrong descriptions are refused in one sentence each, with file and line.
set -eu
: "${TESSERA:?}" "${SOURCE_DIR:?}"
. "$SOURCE_DIR/tests/programs/common.sh"
needs_riscv_compiler
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

# compile ARCH NAME: a program for core B of the standard input.
compile()
{
    [ "$1" = wh ] && define=ARCH_WORMHOLE || define=ARCH_BLACKHOLE
    cat >"$2.c"
    riscv64-unknown-elf-gcc -march=rv32im -mabi=ilp32 -O2 -g -ffreestanding -nostdlib \
        "-D$define" "-I$1/include" -T "$1/brisc.ld" -o "$1/$2.elf" "$2.c"
}

# erisc ARCH NAME: the same for the first core of an Ethernet tile, from 0x9040 on.
erisc()
{
    cat >"$2.c"
    cat >start.S <<'EOF'
.section .text.start
.globl _start
_start:
    li sp, 0xffb00ff0
    call main
1:  j 1b
EOF
    riscv64-unknown-elf-gcc -march=rv32im -mabi=ilp32 -O1 -g -ffreestanding -nostdlib \
        -Wl,-Ttext=0x9040 -Wl,--build-id=none -o "$1/$2.elf" start.S "$2.c"
}

# run_ok OPTION…: it completes, and its report is in `out`.
run_ok()
{
    timeout 60 "$TESSERA" run "$@" >out 2>err || fail "$*: $(cat out err)"
}

# run_fails STATUS OPTION…: its report is in `out` and `err`.
run_fails()
{
    status=$1
    shift
    got=0
    timeout 60 "$TESSERA" run "$@" >out 2>err || got=$?
    [ "$got" = "$status" ] || fail "$*: exit status $got: $(cat out err)"
}

for arch in wh bh; do
    "$SOURCE_DIR/examples/eltwise_c/build.sh" $arch $arch
    compile $arch steps <<'EOF'
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
    while (tt_load(0x30004) == 0)
        continue;
    last();
    return 0;
}
EOF
    compile $arch wild <<'EOF'
#include <tessera/kernel/kernel.h>
#include <tessera/kernel/start.h>
int main(void)
{
    tt_store(0xfff00000, 1);
    return 0;
}
EOF
    # Sends 16 bytes from 0x18000 to 0x19000 over the link.
    erisc $arch sends <<'EOF'
#define REGISTER(at) (*(volatile unsigned *)(at))
int main(void)
{
    REGISTER(0xffb90014) = 0x18000;
    REGISTER(0xffb90018) = 16;
    REGISTER(0xffb9001c) = 0x19000;
    REGISTER(0xffb90004) = 2;
    return 0;
}
EOF
done

# ---------------------------------------------------------------- options alone

printf '\011\000\000\000' >ctrl.bin # ETH_TXQ_CTRL: KEEPALIVE, DIS_DROP
printf 'over the link 16' >text.bin
for arch in wh bh; do
    [ $arch = wh ] && left=9,6 && right=9,0 || { left=5,1 && right=1,1; }
    for timing in off on; do
        for threads in 1 2; do
            run_ok --chip $arch --links 0:8-1:0 --elf 0/$left:erisc=$arch/sends.elf \
                --noc-write $left:0xffb90000=ctrl.bin --load ctrl.bin@1/$right:0xffb90000 \
                --load text.bin@0/$left:0x18000 --dump 1/$right:0x19000:16=there.bin \
                --timing $timing --threads $threads
            cmp text.bin there.bin
            mv out $timing$threads.txt
        done
        cmp ${timing}1.txt ${timing}2.txt
    done
    has on1.txt "on 2 chips of"
    has on1.txt "0/$left     erisc"
    # A link of the other tile leads elsewhere.
    run_fails 0 --chip $arch --links 0:8-1:1,1:0-0:0 --elf $left:erisc=$arch/sends.elf \
        --load ctrl.bin@$left:0xffb90000 --load text.bin@$left:0x18000 \
        --dump 1/$right:0x19000:16=there.bin
    ! cmp -s text.bin there.bin || fail "$arch: the bytes came over no link"
    # The words of options are those of a chip alone, too.
    run_ok --chip $arch --links 0:8-0:0 --elf 0/$left:erisc=$arch/sends.elf \
        --load ctrl.bin@$left:0xffb90000 --load ctrl.bin@$right:0xffb90000 \
        --load text.bin@$left:0x18000 --dump 0/$right:0x19000:16=there.bin
    cmp text.bin there.bin
    has out "$left     erisc"
done

# ---------------------------------------------------------------- descriptions

# steps ARCH PLACE: a program there, to which the host gives a word after some time.
steps()
{
    cat <<EOF
programs:
  - {tiles: "$2", brisc: $1/steps.elf}
host:
  - cycles: 640
  - write: {node: "$2", address: 0x30004, words: [1]}
  - until: {node: "$2", address: 0x30000, value: 2}
EOF
}

# three ARCH: chips beside that, with programs of their own.
three()
{
    cat <<EOF
chips:
  - {name: left, arch: $1}
  - {name: right, harvested: 4}
  - third
links:
  - left:8-right:0
  - ends: right:1-2:1
    drop_every: 3
EOF
    steps "$1" right/3,4 | sed "s|^host:|  - {tiles: \"left/1-2,4\", brisc: $1/steps.elf}\nhost:|"
    cat <<EOF
  - write: {node: "0/1-2,4", address: 0x30004, words: [1]}
dump:
  - {node: "right/3,4", address: 0x30000, size: 4, file: right.bin}
  - {node: "2,4", address: 0x30000, size: 4, file: left.bin}
EOF
}

for arch in bh wh; do
    { echo "chip: $arch" && steps $arch 3,4; } >one.yaml
    three $arch >three.yaml
    for timing in off on; do
        run_ok --grid one.yaml --timing $timing --harvested 4 --trace 3,4=one.json
        run_ok --grid three.yaml --timing $timing --trace right/3,4=two.json --threads 2
        sed -i 's/"cycles":[0-9]*}}$//' one.json two.json # the others run on
        cmp one.json two.json
        has two.json SETDMAREG
        has out 'three.yaml on 3 chips of'
        for file in left.bin right.bin; do
            [ "$(od -An -tx4 $file | tr -d ' ')" = 00000002 ] || fail "$file: $(od -tx4 $file)"
        done
    done
done
run_ok --grid three.yaml --json --dump right/3,4:gpr,l1:0x30000:4 --dump 2/1,4:gpr
tr -d ' \n' <out >report.json
has report.json '"chips":["left","right","third"]'
has report.json '{"chip":"left","x":2,"y":4,'
has report.json '{"chip":"right","x":3,"y":4,'
has out '"tile right/3,4:",'
has out '"030000  02 00 00 00'
has out '"tile third/1,4:",'

# ---------------------------------------------------------------- ends, on any chip

run_ok --grid three.yaml --stop-at last --dump right/3,4:l1:0x30000:4
has out 'was stopped where --stop-at says'
has out 'right/3,4     brisc'
has out 'stopped at 0x'
has out '030000  01 00 00 00'
run_ok --grid three.yaml --dump-at last --dump right/3,4:l1:0x30000:4 --timing on
has out 'at last:'
has out 'tile right/3,4:'
run_ok --grid three.yaml --until left/2,4:0x30000=1
has out 'came to what --until says'
linked="--chip wh --links 0:8-1:0"
run_fails 1 $linked --elf 1/1,2:brisc=wh/wild.elf --policy strict
has out '    tile: 1/1,2'
has err 'tessera: tile 1/1,2: wild.c:5: deadlock (unmapped-address)'
run_fails 1 $linked --elf 0/1-2,2:brisc=wh/wild.elf --elf 1/1-2,2:brisc=wh/wild.elf
has out '    tiles: 0/1,2 0/2,2'
has out '    tiles: 1/1,2 1/2,2'
has err 'tile 0/1,2: brisc: hangs at 0x'
run_fails 1 $linked --elf 1/1,2:brisc=wh/wild.elf --json
has err 'tile 1/1,2: brisc: hangs at 0x'
tr -d ' \n' <out | grep -q '"chip":"1","x":1,"y":2,"node":"tensix"' || fail "JSON: $(cat out)"
run_fails 1 $linked --elf 1/1,4:brisc=wh/steps.elf
has out 'ended in a deadlock'
has out 'tile 1/1,4: core B: its loop at 0x'
run_fails 1 $linked --elf 1/1,4:brisc=wh/steps.elf --max-cycles 100 --until 1/1,4:0x30000=5
has err 'the word of --until did not come'
run_fails 1 $linked --elf 1/8,0:erisc=wh/sends.elf --findings-fail
has out '    tile: 1/8,0'

# ---------------------------------------------------------------- wrong input

one="$linked --elf 1/1,4:brisc=wh/steps.elf"
refused 2 "--elf: there are 2 chips, and none is '2'" $one --elf 2/1,1:brisc=wh/steps.elf
refused 2 "--dump: there are 2 chips, and none is 'left'" $one --dump left/1,1:gpr
refused 2 "--trace: there are 2 chips, and none is 'x'" $one --trace x/1,1=t.json
refused 2 "--until: there are 2 chips, and none is '7'" $one --until 7/1,1:0=1
refused 2 "--noc-write: there are 2 chips, and none is '7'" $one --noc-write 7/1,1:0=ctrl.bin
refused 2 "--elf: there is 1 chip, and none is '1'" --chip wh --elf 1/1,1:brisc=wh/steps.elf
refused 2 "--elf: this is neither X,Y nor X-X,Y-Y '/1,1'" $one --elf /1,1:brisc=wh/steps.elf
refused 2 "tile 1/1,4 has programs already, from '1/1,4'" $one --elf 1/1-2,4:brisc=wh/wild.elf
refused 2 "node 1/1,4 does not take" $one --noc-write 1/1,4:0x16dffe=ctrl.bin
refused 2 "node 1/0,0 has nothing to read" $one --dump 1/0,0:0xfffffffff0:4=x.bin
refused 2 "--links: this is not CHIP:TILE-CHIP:TILE '0:8'" $one --links 0:8
refused 2 "--links: this is not CHIP:TILE-CHIP:TILE ''" $one --links 0:9-1:1,
refused 2 "--links: there are 2 chips, and none is 'a'" $one --links a:9-1:1
refused 2 "--links: there can be 32 chips at most" $one --links 0:9-32:1
refused 2 "--links: the Ethernet tiles of wormhole_b0 are 0 to 15, not 16" $one --links 0:16-1:1
refused 2 "--links: Ethernet tile 8 of chip '0' has a link already" $one --links 0:8-1:1
refused 2 "--links: no link connects chip '2' with '0'" $one --links 2:1-3:1
refused 2 "none is 'left'; chips have names by 'chips' of a description" --chip wh \
    --links left:8-right:0 --elf 0/1,4:brisc=wh/steps.elf
refused 2 '--links needs --chip or --grid' --arch wh --links 0:8-1:0 x.ttasm
refused 2 "--harvested: there are 2 chips, each with 'harvested' of its own" $one --harvested 4
refused 2 '--races: races are looked for on one chip' $one --races
refused 2 '--waits: races are looked for on one chip' $one --waits

# bad_grid LINE SENTENCE: the description of the standard input.
bad_grid()
{
    cat >bad.yaml
    refused 2 "bad.yaml:$1: $2" --grid bad.yaml --chip wh
}
bad_grid 1 "'chips' is a list, each item behind a '-'" <<'EOF'
chips: 2
EOF
bad_grid 2 "no key is called 'nam'; there are name, arch, harvested (nearest: 'name')" <<'EOF'
chips:
  - nam: left
EOF
bad_grid 3 "two chips are called 'left'" <<'EOF'
chips:
  - left
  - name: left
EOF
bad_grid 1 "a chip's name has letters, digits and _, begins with no digit" <<'EOF'
chips: [0left]
EOF
bad_grid 1 "a chip's name has letters, digits and _, begins with no digit" <<'EOF'
chips: [abcdefghijklmnop]
EOF
bad_grid 3 "this chip is blackhole_a0, and what it is linked with is wormhole_b0" <<'EOF'
chips:
  - left
  - {name: right, arch: bh}
EOF
bad_grid 2 "'harvested' is no number 'row'" <<'EOF'
chips:
  - harvested: row
EOF
programs='programs: [{tiles: "1,1", brisc: wh/steps.elf}]'
bad_grid 3 "wormhole_b0 has 12 rows, and 0x1000 names others" <<EOF
chips:
  - left
  - {name: right, harvested: 0x1000}
links: [left:8-right:0]
$programs
EOF
bad_grid 2 "tile left/1,1 is fused off, and has a program" <<EOF
chips:
  - {name: left, harvested: 2}
  - right
links: [left:8-right:0]
$programs
EOF
bad_grid 2 "no link connects chip 'right' with 'left', directly or through others" <<EOF
chips: [left,
  right]
$programs
EOF
bad_grid 3 "there are 2 chips, and none is 'rigt' (nearest: 'right')" <<EOF
chips: [left, right]
links:
  - left:8-rigt:0
$programs
EOF
bad_grid 4 "Ethernet tile 0 of chip 'right' has a link already (bad.yaml:3)" <<EOF
chips: [left, right]
links:
  - left:8-right:0
  - right:0-left:1
$programs
EOF
printf 'chip: wh\nchips: [left, right]\nlinks: [left:8-right:0]\n%s\n' "$programs" >named.yaml
refused 2 \
    "--links: there are 2 chips (from named.yaml:2 on), and none is 'lefd' (nearest: 'left')" \
    --grid named.yaml --links lefd:9-right:1
refused 2 "named.yaml:3: Ethernet tile 8 of chip 'left' has a link already (--links)" \
    --grid named.yaml --links left:8-right:1
bad_grid 2 "this is not CHIP:TILE-CHIP:TILE 'left-right'" <<'EOF'
links:
  - left-right
EOF
bad_grid 2 "'ends' is missing" <<'EOF'
links:
  - drop_every: 2
EOF
bad_grid 2 "a tile has cores of a Tensix tile (brisc, …) or of an Ethernet tile" <<'EOF'
programs:
  - {tiles: "1,1", brisc: wh/steps.elf, erisc: wh/sends.elf}
EOF
bad_grid 2 "node 1,1 of wormhole_b0 is no Ethernet tile, but tensix" <<'EOF'
programs:
  - {tiles: "1,1", erisc: wh/sends.elf}
EOF
bad_grid 2 "an Ethernet tile is one node, not a range" <<'EOF'
programs:
  - {tiles: "1-2,0", erisc: wh/sends.elf}
EOF
bad_grid 2 "an Ethernet tile of wormhole_b0 has one core" <<'EOF'
programs:
  - {tiles: "1,0", erisc1: wh/sends.elf}
EOF
bad_grid 3 "two files for a core of an Ethernet tile" <<'EOF'
programs:
  - {tiles: "1,0", erisc: wh/sends.elf}
  - {tiles: "1,0", erisc: wh/sends.elf}
EOF
bad_grid 5 "tile 0/9,6 has programs already, from '9,6'" <<'EOF'
chips: [left, right]
links: [left:8-right:0]
programs:
  - {tiles: "9,6", erisc: wh/sends.elf}
  - {tiles: "0/9,6", erisc: wh/sends.elf}
EOF
bad_grid 3 "a second document begins here" <<EOF
$programs
---
chips: [left, right]
EOF
bad_grid 4 "this is no YAML" <<EOF
$programs
---
chips: [left, right
EOF
bad_grid 2 "there is 1 chip, and none is 'left'" <<EOF
programs:
  - {tiles: "left/1,1", brisc: wh/steps.elf}
EOF
bad_grid 3 "there is 1 chip, and none is '3'" <<EOF
$programs
host:
  - until: {node: "3/1,1", address: 0, value: 1}
EOF
echo "chips run together, and wrong input is refused"
