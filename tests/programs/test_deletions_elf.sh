#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# `tessera run --elf … --deletions` on examples/eltwise_c: each wait and step that stands in the
# programs is removed, on both chips, and shows as docs/deletions.md says of its line; the same as
# JSON. Without one of them in the source the list is the shorter.
set -eu
: "${TESSERA:?}" "${SOURCE_DIR:?}" "${CC:=cc}"
. "$SOURCE_DIR/tests/programs/common.sh"
export TESSERA
needs_riscv_compiler
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
example=$SOURCE_DIR/examples/eltwise_c
"$CC" -O1 -o "$work/array_tiles" "$example/array_tiles.c"
"$work/array_tiles" pack "$SOURCE_DIR/examples/add/a.npy" "$work/a.bin"
"$work/array_tiles" pack "$SOURCE_DIR/examples/add/b.npy" "$work/b.bin"

# run ARCH [OPTION...]
run()
{
    arch=$1
    shift
    elf=$work/$arch
    "$TESSERA" run --arch "$arch" --load "$work/a.bin@0x20000" --load "$work/b.bin@0x80000" \
        --elf "brisc=$elf/brisc.elf,trisc0=$elf/unpack.elf" \
        --elf "trisc1=$elf/math.elf,trisc2=$elf/pack.elf" --deletions "$@" >"$work/out"
}

has()
{
    grep -Eq -e "$1" "$work/out" || {
        cat "$work/out"
        echo "FAIL: $arch: no '$1'"
        exit 1
    }
}

for arch in wh bh; do
    sh "$example/build.sh" "$arch" "$work/$arch" >"$work/build" 2>&1
    run "$arch"
    has '^removed: 12$'
    has '^brisc.c:12: brisc 0x[0-9a-f]*: deadlock: .* semaphore 1, .*: SEMINIT sem_sel=2'
    has '^unpack.c:16: trisc0 .*: redundant: STALLWAIT '
    has '^math.c:35: trisc1 .*: race: race-read-write; .*: SEMWAIT wait_sem_cond=2 '
    has '^math.c:41: trisc1 .*: redundant: STALLWAIT '
    has '^math.c:42: trisc1 .*: deadlock: .*for semaphore 1, which is 0: SEMPOST sem_sel=2$'
    has '^pack.c:13: trisc2 .*: race: race-config, race-read-write'
    has '^pack.c:17: trisc2 .*: race: race-read-write'
    has '^pack.c:18: trisc2 .*: race: race-read-write; deadlock: '
    has '^race: 4, deadlock: 2, redundant: 6$'
    run "$arch" --json
    [ "$(grep -c '"shown": "race"' "$work/out")" = 4 ]
    has '"step": "SEMPOST sem_sel=2"'
    has '"text": "deadlock: thread 2: PACR'
done

# A core posts, takes and looks by stores and loads of its own.
cat >"$work/unpack.c" <<'EOF'
#include <tessera/kernel/kernel.h>
#include <tessera/kernel/start.h>
int main(void)
{
    while (tt_load(TT_SEMAPHORES_BASE + 4 * 3) == 0)
        continue;
    tt_store(TT_SEMAPHORES_BASE + 4 * 3, 1);
    return 0;
}
EOF
post='    tt_store(TT_SEMAPHORES_BASE + 4 * 3, 0);\n    return 0;\n'
sed "s/^    while/$post    while/" "$work/unpack.c" >"$work/math.c"
for core in trisc0:unpack trisc1:math; do
    "$TESSERA" kernel-header --arch wh --linker-script "${core%:*}" >"$work/link.ld"
    riscv64-unknown-elf-gcc -march=rv32im -mabi=ilp32 -O2 -g -ffreestanding -nostdlib \
        -DARCH_WORMHOLE "-I$work/wh/include" -T "$work/link.ld" -o "$work/${core#*:}.elf" \
        "$work/${core#*:}.c" 2>"$work/warnings"
done
"$TESSERA" run --arch wh --elf "trisc0=$work/unpack.elf,trisc1=$work/math.elf" --deletions \
    >"$work/out"
arch=wh
has '^removed: 3$'
has 'trisc0 .*: finding: semaphore-at-zero; semaphore left: 3 is 1, not 0: a load of semaphore 3$'
has 'trisc0 .*: semaphore left: 3 is 1, not 0: a get of semaphore 3$'
has 'trisc1 .*: deadlock: core T0: .*semaphore.*: a post of semaphore 3$'

refused()
{
    status=0
    "$TESSERA" run "$@" >"$work/out" 2>&1 || status=$?
    [ "$status" = 2 ] && grep -q -e '--deletions' "$work/out" || {
        cat "$work/out"
        echo "FAIL: $*: $status"
        exit 1
    }
}
refused "$SOURCE_DIR/examples/add/add.ttasm" --arch wh --deletions
refused --chip wh --elf "1,1:trisc0=$work/unpack.elf" --deletions
echo "each removal shows"
