#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# usage: deletions.sh [EXAMPLE...]
# Removes each wait, semaphore step and mutex of the examples, one at a time, and prints as a table
# of Markdown how that was found: by --races, a deadlock, a finding that stops the run, an order
# that leaves other bytes (tessera explore), or as redundant by --waits. In grid_matmul flags in
# memory and waits for the NoC are removed, too. TESSERA is the command, RUNS the number of orders.
# Compiled examples are left out without a compiler for RISC-V. With SITES=1 only the places and
# what stands there are printed.
set -eu
LC_ALL=C
export LC_ALL
root=$(cd "$(dirname "$0")/.." && pwd)
tessera=${TESSERA:-$root/build/tessera}
runs=${RUNS:-12}
riscv=${RISCV_CC:-riscv64-unknown-elf-gcc}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$tessera" run --help > "$work/help"
sites=${SITES:-}
races=$(grep -q -- '--races' "$work/help" && echo --races || true)
waits=$(grep -q -- '--waits' "$work/help" && echo --waits || true)
steps='STALLWAIT|SEMWAIT|SEMPOST|SEMGET|SEMINIT|ATGETM|ATRELM'
# In grid_matmul: what else makes cores wait, and the flags that they wait for.
calls='tt_noc_wait|tt_noc_wait_acks|tt_wait_done|tt_wait_for|wait_for_tiles|tt_done'
calls="$calls|tt_noc_increment"
flags='tt_store\(line->count|broadcast\(line, line->count'

# What `tessera run` is given besides the program, and where its outputs go.
inputs_of() {
    case $1 in
    add) echo "--in A=$root/examples/add/a.npy --in B=$root/examples/add/b.npy" ;;
    gelu) echo "--in X=$root/examples/gelu/x.npy" ;;
    matmul) echo "--in A=$root/examples/matmul/left.npy --in B=$root/examples/matmul/right.npy" ;;
    tutorial) echo "--in A=$root/examples/tutorial/ramp.npy" \
                   "--in B=$root/examples/tutorial/column.npy" ;;
    eltwise_c) echo "--load $work/a.bin@0x20000 --load $work/b.bin@0x80000" ;;
    esac
}

outputs_of() {
    case $1 in
    add | tutorial) echo "--out C=$work/c.npy" ;;
    gelu) echo "--out Y=$work/y.npy" ;;
    matmul) echo "--out LOFI=$work/1.npy --out HIFI2=$work/2.npy --out HIFI4=$work/4.npy" ;;
    esac
}

main_of() {
    case $1 in
    tutorial) echo pack_sum.ttasm ;;
    *) echo "$1.ttasm" ;;
    esac
}

# program EXAMPLE ARCH FOLDER: sets `program`, what the command is to run.
program() {
    if [ "$1" != eltwise_c ]; then
        program=$3/$(main_of "$1")
        return
    fi
    mkdir -p "$work/headers/include/tessera/kernel"
    TESSERA=$tessera RISCV_CC=$riscv sh "$3/build.sh" "$2" "$work/elf" > "$work/build" 2>&1
    program="--elf brisc=$work/elf/brisc.elf,trisc0=$work/elf/unpack.elf"
    program="$program,trisc1=$work/elf/math.elf,trisc2=$work/elf/pack.elf"
}

# How a run showed the removal; nothing if it did not.
from_run() {
    sed -n 's/^[^ ]*: race (\([a-z-]*\)): .*/\1/p' "$1" | sort -u | tr '\n' ' ' |
        sed 's/ $//; s/ /, /g'
}

from_end() {
    if grep -q ' ended in a deadlock' "$1"; then
        sed -n 's/.*deadlock (instruction-deadlock): .*waits* for \([a-zA-Z]* [0-9]*\).*/\1/p;
                s/.*deadlock (instruction-deadlock): .*a SEMWAIT for \(semaphore [0-9]*\).*/\1/p' \
            "$1" | head -n 1 | sed 's/^/deadlock: /'
        grep -q 'instruction-deadlock' "$1" || echo deadlock
    else
        sed -n 's/^    action: stop$/stopped/p' "$1" | head -n 1
    fi
}

from_orders() {
    pair=$(sed -n 's/^    .*thread \([0-9]\) #[0-9]* \([A-Z0-9_]*\) .*/T\1 \2/p' "$1" |
           sed -n '1h;2{x;G;s/\n/ before /;p;}')
    if grep -q 'the run ends otherwise' "$1"; then
        sed -n 's/^    here: \(stopped by [a-z0-9-]*\).*/orders: \1/p
                s/^    here: deadlock.*/orders: deadlock/p
                s/^    here: idle.*/orders: another end/p' "$1" | head -n 1
    elif [ -n "$pair" ]; then
        echo "orders: $pair"
    elif grep -q 'orders leave something else' "$1"; then
        echo 'orders: other bytes'
    fi
}

# how EXAMPLE ARCH FOLDER: one cell of the table.
how() {
    program "$1" "$2" "$3"
    ways=
    # Word splitting is wanted.
    # shellcheck disable=SC2046,SC2086
    timeout 60 "$tessera" run $program --arch "$2" $races $(inputs_of "$1") $(outputs_of "$1") \
        > "$work/run" 2>&1 || true
    found=$(from_run "$work/run")
    [ -n "$found" ] && ways="race ($found)"
    end=$(from_end "$work/run" | head -n 1)
    [ -n "$end" ] && ways="${ways:+$ways; }$end"
    # shellcheck disable=SC2046,SC2086
    timeout 300 "$tessera" explore $program --arch "$2" $(inputs_of "$1") --runs "$runs" \
        > "$work/orders" 2>&1 || true
    orders=$(from_orders "$work/orders")
    [ -n "$orders" ] && ways="${ways:+$ways; }$orders"
    echo "$ways"
}

# Whether --waits calls the line of the whole example redundant.
redundant() {
    [ -n "$waits" ] || return 1
    program "$1" "$2" "$root/examples/$1"
    # shellcheck disable=SC2046,SC2086
    "$tessera" run $program --arch "$2" $waits $(inputs_of "$1") $(outputs_of "$1") 2>&1 |
        grep -Eq "$3:$4: thread [0-2]: redundant"
}

# ---------------------------------------------------------------- a chip

# run_grid ARCH FOLDER: the example there, built and run; what it said is in run.
run_grid() {
    rm -rf "$work/grid"
    mkdir "$work/grid"
    TESSERA=$tessera RISCV_CC=$riscv sh "$2/build_grid.sh" "$1" "$work/grid" > "$work/build" 2>&1
    cp "$2/$1.yaml" "$root"/examples/matmul/*.npy "$work/grid"
    timeout 60 "$tessera" run --grid "$work/grid/$1.yaml" $races --max-cycles 20000 \
        --policy silicon,unguaranteed-order=record > "$work/run" 2>&1 || true
}

from_grid_end() {
    if grep -q ' ended in a deadlock ' "$work/run"; then
        sed -n 's/^tile .* a SEMWAIT for \(semaphore [0-9]*\),.*/deadlock: \1/p
                s/^tile .* core \([A-Z0-9]*\): its loop .* in \([a-z_]*\) .*/deadlock: \1 in \2/p
            ' "$work/run" | head -n 1
    elif grep -q ' came to rest, but did not complete' "$work/run"; then
        echo 'ends without what --until waits for'
    elif [ ! -f "$work/grid/product.npy" ]; then
        echo 'no end'
    elif ! cmp -s "$work/grid/product.npy" "$work/product.$1"; then
        echo 'other bytes'
    fi
}

# Like `cell`. Neither explore nor --waits run a whole chip: where the run without a wait has no
# race, nobody needs that wait.
grid_cell() {
    if [ ! -f "$work/product.$1" ]; then
        run_grid "$1" "$root/examples/grid_matmul"
        cp "$work/grid/product.npy" "$work/product.$1"
    fi
    run_grid "$1" "$2"
    ways=
    found=$(from_run "$work/run")
    [ -n "$found" ] && ways="race ($found)"
    end=$(from_grid_end "$1")
    [ -n "$end" ] && ways="${ways:+$ways; }$end"
    relied=$(sed -n 's/^[^ ]*: unguaranteed-order (\([a-z-]*\)): .*/\1/p' "$work/run" | sort -u)
    [ -n "$ways" ] || [ -z "$relied" ] || ways="needed by the pages alone ($relied)"
    echo "${ways:-redundant (no race)}"
}

cell() {
    if [ "$1" = grid_matmul ]; then
        grid_cell "$2" "$5"
        return
    fi
    ways=$(how "$1" "$2" "$5")
    if [ -n "$ways" ]; then
        echo "$ways"
    elif redundant "$1" "$2" "$3" "$4"; then
        echo "redundant (--waits)"
    else
        # No race, no other end, and every order leaves the same.
        echo "redundant (no race)"
    fi
}

# Takes the statement out that begins in that line: in C up to its semicolon.
remove() {
    awk -v at="$2" -v c="$3" 'NR == at { gone = 1 }
        gone { last = !c || /;/; print c && last ? ";" : ""; gone = !last; next }
        { print }' "$1" > "$work/kept"
    cp "$work/kept" "$1"
}

example() {
    name=$1
    here=$root/examples/$name
    if [ "$name" = eltwise_c ] && [ -z "$sites" ]; then
        command -v "$riscv" > "$work/which" 2>&1 || return 0
        "${CC:-cc}" -O1 -o "$work/array_tiles" "$here/array_tiles.c"
        "$work/array_tiles" pack "$root/examples/add/a.npy" "$work/a.bin"
        "$work/array_tiles" pack "$root/examples/add/b.npy" "$work/b.bin"
    fi
    if [ "$name" = grid_matmul ]; then
        [ -n "$sites" ] || command -v "$riscv" > "$work/which" 2>&1 || return 0
        files='grid_brisc.c grid_ncrisc.c grid_feed.h grid_unpack.c grid_math.c grid_pack.c'
        pattern="^ +(TTI\(($steps)|($calls)\(|$flags)"
    elif [ "$name" = eltwise_c ]; then
        files='brisc.c unpack.c math.c pack.c'
        pattern="TTI\(($steps)"
    else
        files="$name.ttasm"
        [ "$name" = tutorial ] && files='unpack.ttasm add_tiles.ttasm pack_sum.ttasm'
        pattern="^ *($steps)"
    fi
    for file in $files; do
        grep -nE "$pattern" "$here/$file" > "$work/sites" || true
        while IFS=: read -r line text; do
            text=$(echo "$text" | sed 's/ *#.*//; s/^ *//; s/p_stall[._]//g; s/ *$//')
            if [ -n "$sites" ]; then
                echo "| $name/$file:$line | \`$text\` |"
                continue
            fi
            rm -rf "$work/examples"
            mkdir -p "$work/examples" "$work/include"
            cp -r "$here" "$work/examples/$name"
            cp -r "$root/examples/common" "$work/examples"
            cp -r "$root/include/." "$work/include"
            c=
            [ "${file%.[ch]}" = "$file" ] || c=1
            remove "$work/examples/$name/$file" "$line" "$c"
            wh=$(cell "$name" wh "$file" "$line" "$work/examples/$name" < /dev/null)
            bh=$(cell "$name" bh "$file" "$line" "$work/examples/$name" < /dev/null)
            echo "| $name/$file:$line | \`$text\` | $wh | $bh |"
        done < "$work/sites"
    done
}

[ -n "$sites" ] || printf '| place | removed | Wormhole | Blackhole |\n|---|---|---|---|\n'
[ $# -gt 0 ] || set -- add gelu matmul tutorial eltwise_c grid_matmul
for each; do
    example "$each"
done
