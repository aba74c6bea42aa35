#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# `tessera run --races` and `--waits` on examples/add: no race, each wait with what it is for, the
# same with timing on and off; and with a wait removed a race, named by its lines, and status 1.
set -eu
cd "$SOURCE_DIR/examples/add"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failures=0

fail() {
    echo "FAIL: $*"
    failures=$((failures + 1))
}

# run ARCH TIMING PROGRAM OPTION...
run() {
    run_arch=$1 run_timing=$2 program=$3
    shift 3
    "$TESSERA" run "$program" --arch "$run_arch" --timing "$run_timing" --in A=a.npy --in B=b.npy \
        --out C="$work/c.npy" "$@"
}

wait_line=$(grep -n 'SEMWAIT.*STALL_ON_MAX' add.ttasm | cut -d: -f1)
for arch in wh bh; do
    for timing in off on; do
        run "$arch" "$timing" add.ttasm --waits > "$work/out" || fail "$arch $timing: status $?"
        grep -q '^findings: 0' "$work/out" || fail "$arch $timing: findings"
        grep -q "^add.ttasm:$wait_line: thread 1: needed: SEMWAIT" "$work/out" ||
            fail "$arch $timing: the wait for room in Dst is not needed"
        [ "$(grep -c ': redundant: STALLWAIT' "$work/out")" = 2 ] ||
            fail "$arch $timing: not two redundant waits"
        named="SEMWAIT stall_res=p_stall.STALL_MATH wait_sem_cond=p_stall.STALL_ON_MAX sem_sel=2"
        grep -q "$named" "$work/out" || fail "$arch $timing: a wait without the names of its masks"
        held=$(sed -n "s/.*wait_res=p_stall.PACK .* held its thread for \([0-9]*\) .*/\1/p" \
            "$work/out")
        case $timing in
        on) [ "${held:-0}" -ge 16 ] || fail "$arch: held for $held cycles" ;;
        off) [ -z "$held" ] || fail "$arch: cycles without timing" ;;
        esac
        run "$arch" "$timing" add.ttasm --waits --json > "$work/json" || fail "--json: status $?"
        [ "$(grep -c '"needed": false' "$work/json")" = 2 ] || fail "$arch $timing: JSON, redundant"
        grep -A 12 "\"line\": $wait_line," "$work/json" > "$work/one" || true
        for part in '"thread": 1' 'p_stall.STALL_ON_MAX' '"needed": true' '"times": 16' \
            '"code": "race-read-write"'; do
            grep -q "$part" "$work/one" || fail "$arch $timing: JSON without $part"
        done
        nulls=$(grep -c '"held_cycles": null' "$work/json" || true)
        case $timing in
        on) [ "$nulls" = 0 ] || fail "$arch: JSON without cycles" ;;
        off) [ "$nulls" -gt 0 ] || fail "$arch: JSON with cycles" ;;
        esac
        sed -n '/^waits/,$s/ (16 times.*//p' "$work/out" > "$work/waits-$timing"
    done
    cmp -s "$work/waits-off" "$work/waits-on" || fail "$arch: timing changes what waits are for"
done

# A wait that hardware does not need, as far as vendor kernels show, but that the pages do.
cat > "$work/pages.ttasm" <<'END'
.thread 1
SFPLOADI lreg_ind=0 instr_mod0=2
ZEROACC clear_mode=3
STALLWAIT stall_res=p_stall.STALL_SFPU wait_res=p_stall.MATH
NOP
NOP
NOP
SFPSTORE lreg_ind=0 instr_mod0=1 dest_reg_addr=0
END
for arch in wh bh; do
    "$TESSERA" run "$work/pages.ttasm" --arch $arch --waits > "$work/out" || fail "$arch: pages"
    grep -q 'pages.ttasm:4: thread 1: needed by the pages alone: STALLWAIT' "$work/out" ||
        fail "$arch: a wait that the pages alone need"
    grep -q "without it: T1's SFPSTORE writes Dst .* by what hardware does" "$work/out" ||
        fail "$arch: what the pages need the wait for"
    "$TESSERA" run "$work/pages.ttasm" --arch $arch --waits --json > "$work/json" || fail "JSON"
    grep -q '"by_pages_alone": true' "$work/json" || fail "$arch: JSON without the pages"
done

line=$(grep -n 'STALL_SYNC wait_res=p_stall.PACK' add.ttasm | cut -d: -f1)
sed "${line}d" add.ttasm > "$work/late.ttasm"
cp ./*.npy "$work"
for timing in off on; do
    code=0
    run wh "$timing" "$work/late.ttasm" --races > "$work/out" 2> "$work/err" || code=$?
    [ "$code" = 1 ] || fail "a race has status $code"
    grep -q 'late.ttasm:.*: race (race-read-write): T1.s ELWADD writes Dst' "$work/out" ||
        fail "timing $timing: the race is not named"
    grep -q 'other: .*late.ttasm:.*PACR' "$work/out" || fail "timing $timing: no other place"
    grep -q 'missing: STALLWAIT stall_res=p_stall.STALL_SYNC wait_res=p_stall.PACK' "$work/out" ||
        fail "timing $timing: the missing wait is not named"
    TESSERA_RACES=on run wh "$timing" "$work/late.ttasm" --json > "$work/json" 2>"$work/err" || :
    grep -q '"missing": "STALLWAIT' "$work/json" || fail "timing $timing: not in the JSON"
done
echo "$failures failures"
[ "$failures" = 0 ]
