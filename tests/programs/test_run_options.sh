#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# How runs end, and what --stop-at, --dump, --policy, --trace and --json do about it.
set -eu
: "${TESSERA:?}" "${SOURCE_DIR:?}"
. "$SOURCE_DIR/tests/programs/common.sh"
. "$SOURCE_DIR/tests/programs/make_npy.sh"
add=$SOURCE_DIR/examples/add
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

# run STATUS ARGUMENT…: output goes to stdout and stderr.
run()
{
    wanted=$1
    shift
    status=0
    "$TESSERA" run "$@" >stdout 2>stderr || status=$?
    [ "$status" = "$wanted" ] || {
        echo "tessera run $*: status $status, not $wanted"
        head -n 20 stdout stderr
        exit 1
    }
}

# lacks FILE PATTERN: no line may match.
lacks()
{
    if LC_ALL=C grep -q -- "$2" "$1"; then
        echo "$1 has '$2'"
        exit 1
    fi
}

# Stopping on the way: status 0, no array, and the state at that point.
for timing in on off; do
    run 0 "$add/add.ttasm" --arch wh --timing $timing --in "A=$add/a.npy" --in "B=$add/b.npy" \
        --out C=c.npy --stop-at 1:add.1 --dump dst,srca,srcb,cfg,adc,rwc,gpr,sem,l1:0x20000:0x20
    has stdout "was stopped where --stop-at says"
    has stdout "thread 1: 33 instructions"
    has stdout "l1: 32 bytes at 0x20000"
    has stdout "ALU_FORMAT_SPEC_REG0_SrcA (bank 0) = 0x5"
    has stdout "semaphore 1: "
    # Behind each row stands who wrote it last.
    has stdout "  by thread 1 #"
    has stdout " ELWADD"
    has stdout "  by thread 0 #"
    has stdout " UNPACR"
    # Tile 0 is in rows 0 to 63, tile 1 has not begun.
    has stdout "  63  "
    lacks stdout '^ 512 '
    [ ! -e c.npy ]
done
run 0 "$add/add.ttasm" --arch bh --timing on --in "A=$add/a.npy" --in "B=$add/b.npy" --out C=c.npy \
    --stop-at 200 --trace t.json
has stdout "after 20"
[ -e t.json ]
[ ! -e c.npy ]

# Dumps at several places are those of runs that stop there, and the run goes on.
for timing in on off; do
    arrays="--in A=$add/a.npy --in B=$add/b.npy --out C=c.npy"
    places='1:add.1 0:20 1:4'
    [ $timing = off ] || places="$places 200"
    for place in $places; do
        # shellcheck disable=SC2086
        run 0 "$add/add.ttasm" --arch wh --timing $timing $arrays --dump dst,sem,adc \
            --stop-at "$place"
        echo "at $place:"
        sed -n '/^dst: /,$p' stdout
        echo
    done >wanted
    # shellcheck disable=SC2086
    run 0 "$add/add.ttasm" --arch wh --timing $timing $arrays --dump dst,sem,adc \
        --dump-at "$(echo "$places" | tr ' ' ,)"
    sed -n '/^at /,/^at the end:$/p' stdout | sed '$d' | cmp - wanted
    rm c.npy
done
run 2 "$add/add.ttasm" --arch wh --in "A=$add/a.npy" --in "B=$add/b.npy" --out C=c.npy \
    --dump sem --dump-at 0:20 --timing on --dump-at 1000000
has stderr "--dump-at: the program ended before that place '1000000'"
has stdout "not reached"
[ ! -e c.npy ]
rm wanted

# A finding that stops: status 1, the finding with its line, old files left alone.
cat >wrong.ttasm <<'END'
.tensor C, bf16, tiled 32x32, 0x1000, out, shape 32x32
.thread 0
    NOP
    SEMINIT sem_sel=1 init_value=0 max_value=1
    SEMGET sem_sel=1
END
printf old >c.npy
printf old >t.json
run 1 wrong.ttasm --arch wh --out C=c.npy --policy non-contractual=stop --trace t.json
has stderr "tessera: wrong.ttasm:5: non-contractual (semaphore-at-zero): "
has stdout "findings: 1"
has stdout "instruction: thread 0, number 3: SEMGET sem_sel=1"
has stdout "action: stop"
# The trace is there however the run ended.
[ "$(cat c.npy)" = old ]
has t.json '"ph":"i"'
has t.json semaphore-at-zero
[ "$(ls)" = "$(printf 'c.npy\nstderr\nstdout\nt.json\nwrong.ttasm')" ]
# The same finding recorded: status 0, the array is there.
run 0 wrong.ttasm --arch wh --out C=c.npy --policy strict,semaphore-at-zero=record
has stdout "wrong.ttasm:5: non-contractual (semaphore-at-zero): "
[ "$(wc -c <c.npy)" = 4224 ]

# What is not there says so.
printf '.thread 1\n    RSTDMA\n' >missing.ttasm
run 4 missing.ttasm --arch wh
has stderr "missing.ttasm:2: unimplemented (no-specification): "

# A deadlock, with everything pushed and with words that find no room: who waits for what.
cat >dead.ttasm <<'END'
.thread 0
SEMINIT sem_sel=1 max_value=1
SEMWAIT sem_sel=1 wait_sem_cond=1 stall_res=2
SEMPOST sem_sel=1
END
printf '.rep 1000\nNOP\n.endr\n' | cat dead.ttasm - >full.ttasm
for program in dead full; do
    for timing in on off; do
        run 1 $program.ttasm --arch bh --timing $timing
        has stderr "$program.ttasm"
        has stderr "deadlock"
        has stdout "ended in a deadlock"
        has stdout "waiting"
        has stdout "thread 0: "
        has stdout ", at $program.ttasm:4; "
        "$TESSERA" run $program.ttasm --arch bh --timing $timing --json >stdout 2>stderr || true
        has stdout '"line": 4'
    done
done

# Who wrote a field, and when, if there is a clock.
printf '.thread 0\ncfg SRCA_SET_SetOvrdWithAddr = 1\nNOP\n' >field.ttasm
run 0 field.ttasm --arch bh --timing on --dump cfg
has stdout "SRCA_SET_SetOvrdWithAddr (thread 0) = 0x1  by thread 0 #1 SETC16 cycle "
run 0 field.ttasm --arch bh --dump cfg
has stdout "SRCA_SET_SetOvrdWithAddr (thread 0) = 0x1  by thread 0 #1 SETC16"
if grep -q ' cycle 0' stdout; then
    echo "a cycle is told without a clock"
    exit 1
fi

# Out of cycles; enough of them.
run 1 "$add/add.ttasm" --arch wh --timing on --in "A=$add/a.npy" --in "B=$add/b.npy" --out C=d.npy \
    --max-cycles 100
has stdout "used up its cycles"
has stderr "time-out"
[ ! -e d.npy ]
run 0 "$add/add.ttasm" --arch wh --timing on --in "A=$add/a.npy" --in "B=$add/b.npy" --out C=d.npy \
    --max-cycles 1000000
[ -e d.npy ]

# Plain text: no control characters beside the newline, also under --json.
run 0 "$add/add.ttasm" --arch wh --in "A=$add/a.npy" --in "B=$add/b.npy" --out C=d.npy
lacks stdout "$(printf '[\001-\011\013-\037]')"
[ ! -s stderr ]
echo "runs end as they should"
