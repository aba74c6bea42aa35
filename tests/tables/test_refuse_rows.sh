#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Compiles src/isa/row_checks.c against each file of bad_rows/: a file with a line
# "// refused: TEXT" must be refused with TEXT in the compiler's message, a file without one must
# pass. The first word of a file's name says which rows it replaces. CC and SOURCE_DIR may be set.
set -eu
here=$(dirname "$0")
root=${SOURCE_DIR:-$here/../..}
compiler=${CC:-cc}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

bad=0
good=0
wrong=0
for file in "$here"/bad_rows/*.def; do
    name=$(basename "$file" .def)
    case $name in
    insn_*) macro=TSR_INSTRUCTION_ROWS rows=instructions ;;
    operand_*) macro=TSR_OPERAND_ROWS rows=operands ;;
    field_*) macro=TSR_FIELD_ROWS rows=config_fields ;;
    timing_*) macro=TSR_TIMING_ROWS rows=timing ;;
    *) echo "$name: which rows does it replace?" && exit 1 ;;
    esac
    { # as the real rows: what they undefine after them, and defaults before them
        sed -n '/^#ifndef/,/^#endif/p' "$root/machine/$rows.def"
        cat "$file"
        grep '^#undef' "$root/machine/$rows.def"
    } >"$work/rows.def"
    accepted=yes
    # shellcheck disable=SC2086 # CC may carry options
    $compiler -std=c17 -Wall -Wextra -fsyntax-only -I"$root/include" -I"$root/src" -I"$root" \
        "-D$macro=\"$work/rows.def\"" "$root/src/isa/row_checks.c" >"$work/message" 2>&1 ||
        accepted=no
    expected=$(sed -n 's,^// refused: ,,p' "$file")
    if [ -z "$expected" ]; then
        good=$((good + 1))
        [ $accepted = yes ] && continue
        echo "$name: refused, but nothing is wrong with it:"
    else
        bad=$((bad + 1))
        [ $accepted = no ] && grep -qF "$expected" "$work/message" && continue
        echo "$name: accepted, or not refused for \"$expected\":"
    fi
    cat "$work/message"
    wrong=$((wrong + 1))
done
[ $bad -gt 0 ] && [ $good -gt 0 ] || { echo "no rows to check" && exit 1; }
echo "$bad rows to refuse, $good to accept, $wrong wrong"
[ $wrong -eq 0 ]
