#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# What `run --elf` says when a compiled kernel goes wrong: a finding with core, program counter,
# function, file and line; a hang with who waits for what and where; an ebreak; --stop-at and
# --dump-at.
set -eu
: "${TESSERA:?}" "${SOURCE_DIR:?}"
. "$SOURCE_DIR/tests/programs/common.sh"
needs_riscv_compiler
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

fail()
{
    echo "FAIL: $*"
    [ ! -f out ] || cat out
    [ ! -f err ] || cat err
    exit 1
}

# built ARCH CORE NAME: NAME.c with what the example needs becomes NAME.elf.
built()
{
    arch=$1
    [ -d "$arch" ] || "$SOURCE_DIR/examples/eltwise_c/build.sh" "$arch" "$arch"
    define=ARCH_$([ "$arch" = wh ] && echo WORMHOLE || echo BLACKHOLE)
    riscv64-unknown-elf-gcc -march=rv32im -mabi=ilp32 -O2 -g -ffreestanding -nostdlib \
        "-D$define" "-I$arch/include" -T "$arch/$2.ld" -o "$3.elf" "$3.c"
}

# ran STATUS OPTION…
ran()
{
    want=$1
    shift
    got=0
    timeout 60 "$TESSERA" run "$@" >out 2>err || got=$?
    [ "$got" = "$want" ] || fail "$*: exit status $got, not $want"
}

said()
{
    grep -qE -- "$2" "$1" || fail "$1 lacks '$2'"
}

cat >wild.c <<'END'
#include <tessera/kernel/kernel.h>
#include <tessera/kernel/start.h>

static void poke(uint32_t address)
{
    tt_store(address, 1);
}

int main(void)
{
    TTI(NOP);
    poke(0xfff00000);
    return 0;
}
END
cat >hang.c <<'END'
#include <tessera/kernel/kernel.h>
#include <tessera/kernel/start.h>

int main(void)
{
    TTI(ELWADD, addr_mode(0));
    tt_wait_coprocessor();
    return 0;
}
END
cat >listen.c <<'END'
#include <tessera/kernel/kernel.h>
#include <tessera/kernel/start.h>

int main(void)
{
    return (int)tt_mailbox_read(1);
}
END
cat >pushed.c <<'END'
#include <tessera/kernel/kernel.h>
#include <tessera/kernel/start.h>

int main(void)
{
    for (uint32_t i = 0; i < 9; i++)
        tt_mop_config(i, i == 5 || i > 6 ? 0x07000002 : i < 2 ? 3 : TT(NOP));
    TT_INSN(0x07000001);
    TTI(MOP, mop_type(1));
    TTI(REPLAY, load_mode(1), len(2), start_idx(4));
    TTI(NOP);
    TT_INSN(0x07000003);
    TTI(NOP);
    TTI(REPLAY, len(2), start_idx(4));
    TT_PUSH(0x07000004);
    tt_done(1);
    return 0;
}
END
cat >from_b.c <<'END'
#include <tessera/kernel/kernel.h>
#include <tessera/kernel/start.h>

int main(void)
{
    TT_INSN(0x07000005);
    tt_store(TT_PUSH2_BASE, 0x07000006);
    return 0;
}
END
cat >assert.c <<'END'
#include <tessera/kernel/start.h>

int main(void)
{
    __asm__ volatile("ebreak");
    return 0;
}
END

for arch in wh bh; do
    # A store to an address that the core does not have.
    built $arch trisc0 wild
    ran 1 --arch $arch --elf trisc0=wild.elf --policy strict
    said out '^wild.c:6: .*(0xfff00000|fff00000)'
    said out '    core: trisc0 at 0x[0-9a-f]{8} in tt_store \(kernel.h:[0-9]+\), inlined in poke'
    said out 'inlined in main \(wild.c:12\)'
    said err 'wild.c:6: '
    ran 1 --arch $arch --elf trisc0=wild.elf --policy strict --json
    said out '"function": "poke"'
    said out '"line": 6'
    said out "\"path\": \"$(pwd -P)/wild.c\""

    # Tensix words know who pushed them: directly, a MOP's, one that REPLAY loaded, core B's.
    built $arch trisc1 pushed
    built $arch brisc from_b
    for options in '--timing off' '--timing on' '--pipeline staged'; do
        # shellcheck disable=SC2086 # two words
        ran 0 --arch $arch $options --elf trisc1=pushed.elf --policy unknown-instruction=record
        for place in 8:0x07000001 9:0x07000002 12:0x07000003 15:0x07000004; do
            said out "^pushed.c:${place%:*}: .*unknown-instruction.*${place#*:} is no instruction"
        done
        said out '    core: trisc1 pushed it at 0x[0-9a-f]{8} in main \(pushed.c:9\)'
        # shellcheck disable=SC2086
        ran 0 --arch $arch $options --elf brisc=from_b.elf --policy unknown-instruction=record
        said out '^from_b.c:6: .*0x07000005'
        said out '^from_b.c:7: .*0x07000006'
        said out '    core: brisc pushed it at '
    done

    # A core that waits for its coprocessor, which waits for data.
    built $arch trisc1 hang
    built $arch brisc listen
    ran 1 --arch $arch --elf trisc1=hang.elf
    said out 'ended in a deadlock'
    said out '^core T1: .* at 0x[0-9a-f]{8} in tt_load .*inlined in main \(hang.c:7\)'
    said out '^thread 1: ELWADD waits for Src.*, at hang.c:6; '
    # A core that waits for a word of one that nobody starts.
    ran 1 --arch $arch --elf brisc=listen.elf,trisc1=hang.elf
    said out '^core B: .*mailbox.* at 0x[0-9a-f]{8} in tt_load .*main \(listen.c:6\)'

    # A failed assertion.
    built $arch trisc2 assert
    ran 1 --arch $arch --elf trisc2=assert.elf
    said err 'trisc2: paused by ebreak at 0x[0-9a-f]{8} in main \(assert.c:5\)'

    # Stops, in a function that was inlined and at a line.
    built $arch trisc0 wild
    for place in poke trisc0:poke main wild.c:12; do
        ran 0 --arch $arch --elf trisc0=wild.elf --stop-at $place --dump 0:4=never.bin
        said out 'was stopped where --stop-at says'
        said out '^trisc0 .* stopped at 0x[0-9a-f]{8} in '
        [ ! -e never.bin ] || fail "$place: a file was written"
        grep -q 'findings: 0' out || fail "$place: the core went on"
    done

    # A word that does not come, and one that does; time that is used up.
    built $arch brisc assert
    ran 1 --arch $arch --elf brisc=assert.elf --until 0x10000=1
    cat >count.c <<'END'
#include <tessera/kernel/kernel.h>
#include <tessera/kernel/start.h>

int main(void)
{
    for (uint32_t i = 0;; i += i < 1000)
        tt_store(0x10000, i);
}
END
    built $arch brisc count
    ran 0 --arch $arch --elf brisc=count.elf --until 0x10000=1000 --dump 0x10000:4=word.bin
    said out 'came to what --until says'
    [ "$(wc -c <word.bin)" = 4 ] || fail "no word"
    ran 1 --arch $arch --elf brisc=count.elf --max-cycles 100000
    said out 'used up its cycles'
    # Dumps on the way, and of the run that goes on; a place where it does not come.
    ran 0 --arch $arch --elf brisc=count.elf --until 0x10000=1000 --dump l1:0x10000:4 \
        --dump-at brisc:main,count.c:6
    [ "$(grep -c '^at ' out)" = 3 ] || fail "not three dumps"
    sed -n '/^at brisc:main:/,/^at count.c:6:/p' out | grep -q '^010000  e8 03' &&
        fail "main is late"
    sed -n '/^at the end:/,$p' out | grep -q '^010000  e8 03 00 00' || fail "not the last word"
    ran 2 --arch $arch --elf brisc=count.elf --until 0x10000=1000 --dump gpr --dump-at nowhere
    said err '--dump-at: no program has code of that function or line'
done
for arch in wh bh; do
    cat >missed.c <<'END'
#include <tessera/kernel/kernel.h>
#include <tessera/kernel/start.h>

void __attribute__((noinline)) never(void)
{
    tt_store(0x10000, 1);
}

int main(void)
{
    if (tt_load(0x10004) == 1)
        never();
    return 0;
}
END
    built $arch trisc0 missed
    ran 2 --arch $arch --elf trisc0=missed.elf --dump gpr --dump-at main,never
    said err "the program ended before that place 'never'"
    sed -n '/^at never:/,/^at the end:/p' out | grep -q 'not reached' || fail "never was reached"
done
# What has no effect is counted, and is in the trace each time.
cat >refused.c <<'END'
#include <tessera/kernel/kernel.h>
#include <tessera/kernel/start.h>

int main(void)
{
    for (int i = 0; i < 5; i++)
        __asm__ volatile(".word 0x7b");
    TT_PUSH(0xff000000);
    TTI(NOP);
    return 0;
}
END
for arch in wh bh; do
    built $arch trisc1 refused
    set -- --arch $arch --elf trisc1=refused.elf --policy unknown-instruction=record
    ran 0 "$@" --trace trace.json
    said out '^trisc1: 5 of its instructions were refused and had no effect$'
    said out '^thread 1: [0-9]+ instructions, 1 refused'
    [ "$(grep -c '"cat":"refused"' trace.json)" = 6 ] || fail "not six in the trace"
    said trace.json '"core-unknown-instruction","core":2,"pc":"0x[0-9a-f]+","word":"0x0000007b"'
    said trace.json '"unknown-instruction","sequence":[0-9]+,"instruction":".word 0xff000000"'
    ran 0 "$@" --json
    said out '"refused": 5'
    said out '"refused": 1'
    ran 0 --chip $arch --elf 1,2:trisc1=refused.elf --policy unknown-instruction=record
    said out '^tile 1,2: trisc1: 5 of its instructions were refused and had no effect$'
    said out '^refused +1$'
done
echo "mistakes of compiled kernels are told with their lines"
