#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The wait that a race says is missing is the right one: a wait of an example is removed, what the
# first race says is pasted where it says, and again, until there is no race; then the program has
# to complete. On both chips, with timing off and on.
set -eu
: "${TESSERA:?}" "${SOURCE_DIR:?}"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failures=0
mended=0

# paste FILE LINE WHERE TEXT: `TEXT`, in which ";" separates instructions, before or behind a line.
paste_at() {
    awk -v at="$2" -v where="$3" -v text="$4" '
        function paste(  i, n, part) {
            n = split(text, part, "; ")
            for (i = 1; i <= n; i++) print "    " part[i]
        }
        NR == at && where == "before" { paste() }
        { print }
        NR == at && where == "behind" { paste() }' "$1" > "$work/pasted"
    cp "$work/pasted" "$1"
}

# What the first race of $work/out says, into FILE. Fails if there is none.
mend() {
    grep -A 4 ': race (race-' "$work/out" | head -n 5 > "$work/race"
    own=$(sed -n '1s/^[^:]*:\([0-9]*\): race.*/\1/p' "$work/race")
    other=$(sed -n 's/^    other: [^:]*:\([0-9]*\): .*/\1/p' "$work/race")
    missing=$(sed -n 's/^    missing: //p' "$work/race")
    [ -n "$own" ] && [ -n "$other" ] && [ -n "$missing" ] || return 1
    # "A; B (thread N, before its OP); C (thread M, behind its OP)": a part a line.
    echo "$missing" | sed 's/); /)\n/g' > "$work/parts"
    step=$(sed -n 's/.*before its \(SEM[A-Z]*\) sem_sel=.*/\1/p' "$work/parts" | head -n 1)
    at_step=$(awk -v from="$other" -v op="${step:-none}" \
        'NR > from && $1 == op { print NR; exit }' "$1")
    # From the last line to the first, so that numbers stay.
    while read -r part; do
        text=${part% (thread*}
        case $part in
        *"before its SEM"*) echo "$at_step before $text" ;;
        *"behind its"*) echo "$other behind $text" ;;
        *) echo "$own before $text" ;;
        esac
    done < "$work/parts" | sort -rn > "$work/pastes"
    while read -r at where text; do
        paste_at "$1" "$at" "$where" "$text"
    done < "$work/pastes"
}

# removed EXAMPLE FILE PATTERN OPTION...: the line with the pattern.
removed() {
    example=$1 file=$2 pattern=$3
    shift 3
    line=$(grep -n -- "$pattern" "$SOURCE_DIR/examples/$example/$file" | head -n 1 | cut -d: -f1)
    for arch in wh bh; do
        for timing in off on; do
            rm -rf "$work/$example"
            cp -r "$SOURCE_DIR/examples/$example" "$work"
            program=$work/$example/$file
            sed -i "${line}d" "$program"
            code=1
            for round in 0 1 2 3 4; do
                code=0
                (cd "$work/$example" && "$TESSERA" run "$file" --arch $arch --timing $timing \
                    --races "$@") > "$work/out" 2> "$work/err" || code=$?
                [ "$round$code" != 00 ] || { echo "FAIL: $file:$line: no race"; code=2; break; }
                [ "$code" != 0 ] && mend "$program" || break
            done
            if [ "$code" = 0 ]; then
                mended=$((mended + 1))
            else
                echo "FAIL: $file:$line, $arch, timing $timing: status $code after $round pastes"
                grep -A 5 ': race (' "$work/out" | head -n 6 || cat "$work/err"
                failures=$((failures + 1))
            fi
        done
    done
}

cd "$work"
add="--in A=a.npy --in B=b.npy --out C=$work/c.npy"
factors="--in A=left.npy --in B=right.npy --out LOFI=$work/1.npy --out HIFI2=$work/2.npy"
removed add add.ttasm 'SEMWAIT.*STALL_ON_ZERO' $add
removed add add.ttasm 'STALLWAIT.*STALL_SYNC wait_res=p_stall.PACK' $add
removed gelu gelu.ttasm 'SEMWAIT.*STALL_ON_ZERO' --in X=x.npy --out "Y=$work/y.npy"
removed gelu gelu.ttasm 'STALLWAIT.*STALL_SYNC wait_res=p_stall.PACK' --in X=x.npy \
    --out "Y=$work/y.npy"
removed matmul matmul.ttasm 'SEMWAIT.*STALL_ON_ZERO' $factors --out "HIFI4=$work/4.npy"
removed matmul matmul.ttasm 'STALLWAIT.*STALL_SYNC wait_res=p_stall.PACK' $factors \
    --out "HIFI4=$work/4.npy"
echo "$mended mended, $failures failures"
[ "$failures" = 0 ] && [ "$mended" = 24 ]
