#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# `tessera explore`: examples leave the same in every order; without one of their waits the report
# has the bytes, the two instructions and a command that repeats the run.
set -eu
LC_ALL=C
export LC_ALL
source_dir=${SOURCE_DIR:-$(cd "$(dirname "$0")/../.." && pwd)}
tessera=${TESSERA:-$source_dir/build/tessera}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
add=$source_dir/examples/add
gelu=$source_dir/examples/gelu
status=0

fail() {
    echo "FAIL: $*"
    status=1
}

# has PART: the report has a line with it.
has() {
    grep -qF -- "$1" out || fail "\"$1\" is not in: $(cat out)"
}

# runs WANTED_STATUS ARGUMENT...
runs() {
    want=$1
    shift
    got=0
    "$tessera" explore "$@" > out 2> err || got=$?
    [ "$got" -eq "$want" ] || fail "explore $*: status $got, not $want: $(cat out err)"
}

for arch in wh bh; do
    runs 0 "$add/add.ttasm" --arch $arch --in "A=$add/a.npy" --in "B=$add/b.npy" --runs 6
    has "6 orders, and each leaves the same as that of a card (idle)"

    # The packers still read the half of Dst that the next tile goes to.
    grep -v 'wait_res=p_stall.PACK' "$add/add.ttasm" > add.ttasm
    runs 1 add.ttasm --arch $arch --in "A=$add/a.npy" --in "B=$add/b.npy" --runs 4 --jobs 2
    has "of 4 orders leave something else"
    has " of C"
    grep -Eq '^    add.ttasm:[0-9]+: thread 1 #[0-9]+ ELWADD .* (is issued|executes)$' out ||
        fail "no ELWADD: $(cat out)"
    grep -Eq '^    add.ttasm:[0-9]+: thread 2 #[0-9]+ PACR .* executes$' out ||
        fail "no PACR: $(cat out)"

    has "  race-read-write: T1's ELWADD writes Dst"
    has "    missing: STALLWAIT stall_res=p_stall.STALL_SYNC wait_res=p_stall.PACK"

    # The command repeats the run: its bytes are not those of a card.
    command=$(sed -n 's/^  again: tessera //p' out)
    # Word splitting is wanted.
    # shellcheck disable=SC2086
    "$tessera" $command > again.txt || fail "the command: $(cat again.txt)"
    "$tessera" run add.ttasm --arch $arch --in "A=$add/a.npy" --in "B=$add/b.npy" \
        --out C=card.npy > card.txt
    cmp -s C.npy card.npy && fail "$command leaves the bytes of a card"

    [ $arch = wh ] || continue
    # The vector unit reads rows that the matrix unit has not written: those of the last MOVA2D, so
    # that no three instructions are between.
    sed -e '/stall_res=p_stall.STALL_SFPU wait_res=p_stall.MATH/d' -e 's#X.datums / 32#4#' \
        -e '/lreg_ind=0 instr_mod0=2 sfpu_addr_mode=/s/instr_mod0=2/& dest_reg_addr=56/' \
        "$gelu/gelu.ttasm" > gelu.ttasm
    runs 1 gelu.ttasm --arch $arch --in "X=$gelu/x.npy" --runs 3
    grep -Eq '^    gelu.ttasm:[0-9]+: thread 1 #[0-9]+ SFPLOAD .* executes$' out ||
        fail "no SFPLOAD: $(cat out)"
    grep -Eq '^    gelu.ttasm:[0-9]+: thread 1 #[0-9]+ MOVA2D .* executes$' out ||
        fail "no MOVA2D: $(cat out)"
done

# A run that ends otherwise; one that hangs in each order.
cat > hang.ttasm << 'END'
.thread 0
.rep 8 i
NOP
.endr
SEMINIT sem_sel=1 max_value=2
.thread 1
SEMPOST sem_sel=1
.rep 30 i
NOP
.endr
SEMWAIT sem_sel=1 wait_sem_cond=1 stall_res=0x1ff
NOP
END
runs 1 hang.ttasm --arch wh --runs 30
has "the run ends otherwise"
has "deadlock: thread 1: NOP is held by a SEMWAIT for semaphore 0, which is 0"
printf '.thread 1\nSEMWAIT sem_sel=1 wait_sem_cond=1 stall_res=0x1ff\nNOP\n' > hang.ttasm
runs 1 hang.ttasm --arch wh --runs 3
has "each leaves the same as that of a card (deadlock: thread 1"

# Dumps are compared, too: what the load leaves in a GPR is in no other place.
cat > load.ttasm << 'END'
.thread 0
SETDMAREG Payload_SigSel=0x2000 SetSignalsMode=0 RegIndex16b=2
SETDMAREG Payload_SigSel=0 SetSignalsMode=0 RegIndex16b=3
SETDMAREG Payload_SigSel=0 SetSignalsMode=0 RegIndex16b=8
SETDMAREG Payload_SigSel=0 SetSignalsMode=0 RegIndex16b=9
SETDMAREG Payload_SigSel=7 SetSignalsMode=0 RegIndex16b=6
SETDMAREG Payload_SigSel=0 SetSignalsMode=0 RegIndex16b=7
STOREIND MemHierSel=1 AddrRegIndex=1 DataRegIndex=3 OffsetIndex=8 RegSizeSel=1
LOADIND AddrRegIndex=1 DataRegIndex=5 OffsetIndex=8 SizeSel=1
ADDDMAREG OpBisConst=1 OpBRegIndex=1 OpARegIndex=3 ResultRegIndex=5
END
runs 0 load.ttasm --arch wh --runs 4
runs 1 load.ttasm --arch wh --runs 4 --dump gpr
has "the dump differs"

# Of compiled programs the two have their lines of the source.
if command -v riscv64-unknown-elf-gcc > /dev/null; then
    mkdir -p tree/examples
    cp -r "$source_dir/include" tree
    cp -r "$source_dir/examples/eltwise_c" "$source_dir/examples/common" tree/examples
    kernels=tree/examples/eltwise_c
    grep -v 'STALLWAIT.*wait_res(p_stall_PACK)' "$source_dir/examples/eltwise_c/pack.c" \
        > $kernels/pack.c
    TESSERA=$tessera sh $kernels/build.sh wh elf > build.txt
    "${CC:-cc}" -O1 -o array_tiles $kernels/array_tiles.c
    ./array_tiles pack "$add/a.npy" a.bin
    ./array_tiles pack "$add/b.npy" b.bin
    threads=trisc0=elf/unpack.elf,trisc1=elf/math.elf,trisc2=elf/pack.elf
    runs 1 --elf brisc=elf/brisc.elf,$threads --arch wh --load a.bin@0x20000 \
        --load b.bin@0x80000 --runs 4
    math=$(grep -n 'ELWADD' $kernels/math.c | cut -d: -f1 | head -n 1)
    grep -Eq "^    math.c:[0-9]+: main\(\): thread 1 #[0-9]+ ELWADD .* is issued$" out ||
        fail "no line of math.c, such as $math: $(cat out)"
    grep -Eq '^    pack.c:[0-9]+: main\(\): thread 2 #[0-9]+ PACR .* executes$' out ||
        fail "no line of pack.c: $(cat out)"
    grep -Eq '^    pack.c:[0-9]+: main\(\): PACR ' out || fail "no line of the race: $(cat out)"
fi

runs 2 --arch wh
runs 2 "$add/add.ttasm" --arch wh --runs 0
runs 2 "$add/add.ttasm"
exit $status
