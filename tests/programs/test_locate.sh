#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Mistakes that a kernel makes over the NoC, found with tile, core, file and line: by `run --chip`,
# and through the libraries by `locate` with the lines of TESSERA_FINDINGS and TESSERA_WAITS. On
# both chips, timing off and on.
set -eu
: "${TESSERA:?}" "${SOURCE_DIR:?}" "${BUILD_DIR:?}" "${CC:=cc}"
. "$SOURCE_DIR/tests/programs/common.sh"
needs_riscv_compiler
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

# Line 100 + N has mistake N.
cat >kernel.c <<'C'
#include <tessera/kernel/noc.h>
#include <tessera/kernel/start.h>

#ifdef ARCH_WORMHOLE
enum { ME = TT_NOC_XY(18, 18), OTHER = TT_NOC_XY(19, 18), L1 = 1464 * 1024 };
#else
enum { ME = TT_NOC_XY(1, 2), OTHER = TT_NOC_XY(2, 2), L1 = 1536 * 1024 };
#endif
enum { HERE = 0x40000, THERE = 0x50000, FLAG = 0x60000 };
#define TRY(number, what) if (MISTAKE == (number)) { what; }

static void work(void)
{
#line 101
    TRY(1, tt_noc_write(0, 4, HERE, OTHER, L1 + 0x1000, 64))
    TRY(2, tt_noc_write(0, 4, HERE, OTHER, L1 - 32, 64))
    TRY(3, tt_noc_write(0, 4, HERE, OTHER, THERE + 4, 64))
    TRY(4, tt_noc_wait_acks(0, tt_noc_acks(0), 1))
    TRY(5, while (tt_load(FLAG) == 0) tt_fence())
    TRY(6, tt_store(TT_PUSH1_BASE, TT(ELWADD)))
}

int main(void)
{
    tt_store(FLAG, 0);
    work();
    tt_noc_wait(0, 4);
    return 0;
}
C

cat >host.c <<'C'
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static void *entry(void *library, const char *name)
{
    void *found = dlsym(library, name);
    if (!found)
        exit(2);
    return found;
}

int main(int argc, char **argv)
{
    static unsigned char image[65536];
    void *library = argc > 4 ? dlopen(argv[1], RTLD_NOW) : NULL;
    FILE *file = library ? fopen(argv[2], "rb") : NULL;
    uint32_t size = file ? (uint32_t)fread(image, 1, sizeof image, file) : 0;
    uint32_t x = (uint32_t)atoi(argv[3]), y = (uint32_t)atoi(argv[4]), leave = 0x47000;
    if (size == 0)
        return 2;
    void (*init)(void), (*end)(void), (*clock)(uint32_t);
    void (*write)(uint32_t, uint32_t, uint64_t, const void *, uint32_t);
    *(void **)&init = entry(library, "libttsim_init");
    *(void **)&end = entry(library, "libttsim_exit");
    *(void **)&clock = entry(library, "libttsim_clock");
    *(void **)&write = entry(library, "libttsim_tile_wr_bytes");
    init();
    write(x, y, 0, image, size);
    write(x, y, 0xffb121b0, &leave, 4);
    clock(10000);
    end();
    return 0;
}
C
# shellcheck disable=SC2046
"$CC" -std=c17 -Wall -Wextra -Werror $(sanitizer "$(library)") host.c -ldl -o host

for arch in wh bh; do
    case $arch in
    wh) chip=wormhole_b0 define=ARCH_WORMHOLE x=1 y=1 ;;
    *) chip=blackhole_a0 define=ARCH_BLACKHOLE x=1 y=2 ;;
    esac
    mkdir -p $arch/include/tessera/kernel
    cp "$SOURCE_DIR"/include/tessera/kernel/*.h $arch/include/tessera/kernel
    "$TESSERA" kernel-header --arch $arch >$arch/include/tessera/kernel/$chip.h
    "$TESSERA" kernel-header --arch $arch --linker-script brisc >$arch/brisc.ld
    for mistake in 1 2 3 4 5 6; do
        at=at
        case $mistake in
        1 | 2) code=noc-address ;;
        3) code=noc-alignment ;;
        4) code=noc-counter-wait ;;
        5) code='core B: its loop' ;;
        *) code='thread 1: ELWADD waits' at='pushed it at' ;;
        esac
        riscv64-unknown-elf-gcc -march=rv32im -mabi=ilp32 -O2 -g -Wall -Wextra -Werror \
            -ffreestanding -nostdlib -DMISTAKE=$mistake -D$define -I$arch/include \
            -T $arch/brisc.ld -o $arch/kernel.elf kernel.c
        riscv64-unknown-elf-objcopy -O binary -j .init -j .text -j .loader_init $arch/kernel.elf \
            $arch/kernel.bin
        for timing in off on; do
            what="$arch, mistake $mistake, timing $timing"
            "$TESSERA" run --chip $arch --elf $x,$y:brisc=$arch/kernel.elf --timing $timing \
                >out 2>&1 || [ $mistake -ge 4 ] || fail "$what: $(cat out)"
            grep -A 3 -F -- "$code" out >found || fail "$what: $(cat out)"
            has found "kernel.c:10$mistake"
            has found "$x,$y"

            rm -f findings waits
            TESSERA_TIMING=$timing TESSERA_FINDINGS=findings TESSERA_WAITS=waits \
                ./host "$BUILD_DIR/libttsim_$arch.so" $arch/kernel.bin $x $y 2>err ||
                fail "$what: the host fails: $(cat err)"
            cat findings waits >lines
            for elf in brisc=$arch/kernel.elf $x,$y:brisc=$arch/kernel.elf; do
                "$TESSERA" locate --elf $elf lines >out || fail "$what: locate fails"
                grep -A 1 -F -- "$code" out >found || fail "$what: $(cat lines err)"
                has found "tile $x,$y: "
                has found "kernel.c:10$mistake"
                has found "core: brisc $at 0x"
                "$TESSERA" locate --json --elf $elf lines >out || fail "$what: locate fails"
                path=$(pwd -P)/kernel.c
                has out "\"file\":\"kernel.c\",\"path\":\"$path\",\"line\":10$mistake,"
                has out '"function":"work"'
            done
            "$TESSERA" locate --elf trisc0=$arch/kernel.elf lines >out || fail "$what: no place"
            if grep -q kernel.c out; then fail "$what: a place of another core: $(cat out)"; fi
        done
    done
done

# A deadlock over tiles: each has the line of its own wait, and stderr the first one.
for arch in wh bh; do
    case $arch in
    wh) y=1 define=ARCH_WORMHOLE ;;
    *) y=2 define=ARCH_BLACKHOLE ;;
    esac
    for mistake in 4 5; do
        riscv64-unknown-elf-gcc -march=rv32im -mabi=ilp32 -O2 -g -ffreestanding -nostdlib \
            -DMISTAKE=$mistake -D$define -I$arch/include -T $arch/brisc.ld \
            -o $arch/wait$mistake.elf kernel.c
    done
    got=0
    "$TESSERA" run --chip $arch --elf 1,$y:brisc=$arch/wait5.elf --elf 2,$y:brisc=$arch/wait4.elf \
        >out 2>err || got=$?
    [ "$got" = 1 ] || fail "a deadlock: $got, $(cat err)"
    sed -n '/^waiting/,/^findings/p' out >waits
    grep "^tile 1,$y: core B: its loop .*kernel.c:105" waits >/dev/null || fail "$(cat waits)"
    grep "^tile 2,$y: core B: its loop .*NIU_MST_WR_ACK_RECEIVED.*kernel.c:104" waits >/dev/null ||
        fail "$(cat waits)"
    [ "$(wc -l <err)" = 1 ] || fail "$(cat err)"
    grep "wait5.elf: deadlock: tile 1,$y: core B: its loop .*kernel.c:105" err >/dev/null ||
        fail "$(cat err)"
done

# refused SENTENCE WORD…
refused()
{
    sentence=$1
    shift
    got=0
    "$TESSERA" locate "$@" >out 2>err || got=$?
    [ "$got" = 2 ] || fail "locate $*: exit status $got, $(cat err)"
    [ "$(wc -l <err)" = 1 ] || fail "locate $*: $(cat err)"
    has err "$sentence"
}
refused "exactly one FILE" --elf brisc=wh/kernel.elf
refused "--elf is needed" lines
refused "this is no line of TESSERA_FINDINGS" --elf brisc=wh/kernel.elf kernel.c
refused "this is neither X,Y nor X-X,Y-Y 'wh'" --elf wh:brisc=wh/kernel.elf lines
refused "-:2: no chip is called 'gs'" --elf brisc=wh/kernel.elf - <<'J'

{"x":1,"y":1,"chip":"gs","code":"noc-address","category":"undefined-behaviour","sentence":"A."}
J
refused "-:1: this line does not say its chip" --elf brisc=wh/kernel.elf - <<'J'
{"x":1,"y":1,"code":"noc-address","category":"undefined-behaviour","sentence":"A."}
J
echo "mistakes have their file and line"
