#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# `run --chip` with programs for the cores of Ethernet tiles: results, findings and hangs with file
# and line, beside programs of Tensix tiles; wrong options are refused in one sentence each.
set -eu
: "${TESSERA:?}" "${SOURCE_DIR:?}"
. "$SOURCE_DIR/tests/programs/common.sh"
needs_riscv_compiler
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

# compile NAME ADDRESS: a program of the standard input, whose stack is in data RAM.
compile()
{
    cat >"$1.c"
    cat >start.S <<'EOF'
.section .text.start
.globl _start
_start:
    li sp, 0xffb00ff0
    call main
1:  j 1b
EOF
    riscv64-unknown-elf-gcc -march=rv32im -mabi=ilp32 -O1 -g -ffreestanding -nostdlib \
        -Wl,-Ttext="$2" -Wl,--build-id=none -o "$1.elf" start.S "$1.c"
}

compile sum 0x9040 <<'EOF'
int main(void)
{
    volatile unsigned *numbers = (volatile unsigned *)0x18000, *sum = (volatile unsigned *)0x19000;
    unsigned total = 0;
    for (int i = 0; i < 8; i++)
        total += numbers[i];
    *sum = total;
    return 0;
}
EOF
compile second 0x12000 <<'EOF'
int main(void)
{
    volatile unsigned *sum = (volatile unsigned *)0x19000;
    while (*sum == 0)
        continue;
    sum[1] = *sum * 2;
    return 0;
}
EOF
compile starter 0x9040 <<'EOF'
int main(void)
{
    volatile unsigned *reset = (volatile unsigned *)0xffb121b0, *sum = (volatile unsigned *)0x19000;
    *reset = 0;
    *sum = 21;
    return 0;
}
EOF
compile wrong 0x9040 <<'EOF'
int main(void)
{
    return *(volatile int *)0xffe80000;
}
EOF

printf '\001\000\000\000\002\000\000\000\003\000\000\000\004\000\000\000' >half.bin
cat half.bin half.bin >numbers.bin
for arch in wh bh; do
    [ "$arch" = wh ] && y=0 || y=1
    for timing in off on; do
        timeout 60 "$TESSERA" run --chip "$arch" --timing "$timing" --elf "2,$y:erisc=sum.elf" \
            --noc-write "2,$y:0x18000=numbers.bin" --until "2,$y:0x19000=20" \
            --dump "2,$y:0x19000:4=sum.bin" >out || fail "$arch $timing: $(cat out)"
        printf '\024\000\000\000' | cmp - sum.bin || fail "$arch $timing: the sum is wrong"
        has out "2,$y     erisc"
    done
    # Where it went wrong.
    got=0
    timeout 60 "$TESSERA" run --chip "$arch" --elf "2,$y:erisc=wrong.elf" >out 2>err || got=$?
    [ "$got" = 1 ] || fail "$arch: exit status $got: $(cat out err)"
    has out "wrong.c:3"
    has out "unmapped-address"
    has err "tile 2,$y: erisc: hangs at"
    timeout 60 "$TESSERA" run --chip "$arch" --elf "2,$y:erisc=wrong.elf" --json >json 2>err || true
    has json '"name": "erisc"'
    has json '"file": "wrong.c"'
done

# The first core starts the second one.
timeout 60 "$TESSERA" run --chip bh --elf 3,1:erisc=starter.elf,erisc1=second.elf \
    --until 3,1:0x19004=42 >out || fail "two cores: $(cat out)"
has out "3,1     erisc1"

refused 2 "this is not erisc=FILE or erisc1=FILE 'brisc=b.elf'" --chip wh \
    --elf 1,0:erisc=sum.elf,brisc=b.elf
refused 2 "two files for a core of an Ethernet tile" --chip wh --elf 1,0:erisc=sum.elf,erisc=sum.elf
refused 2 "node 1,1 of wormhole_b0 is no Ethernet tile, but tensix" --chip wh \
    --elf 1,1:erisc=sum.elf
refused 2 "has one core" --chip wh --elf 1,0:erisc=sum.elf,erisc1=second.elf
refused 2 "is no Tensix tile" --chip wh --elf 1,0:brisc=sum.elf
refused 2 "one node, not a range" --chip wh --elf 1-2,0-0:erisc=sum.elf
refused 2 "node 1,0 of blackhole_a0 is no Ethernet tile, but router" --chip bh \
    --elf 1,0:erisc=sum.elf
refused 2 "10 columns and 12 rows, and 99,0 leaves it" --chip wh --elf 99,0:erisc=sum.elf
for option in "--stop-at main" "--dump 1,1:gpr --dump-at main"; do
    # shellcheck disable=SC2086
    refused 2 "stops at places of Tensix tiles only, and none has a program" --chip wh \
        --elf 1,0:erisc=sum.elf $option
done
