#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The rows of the configuration fields say whether a unit reads them; the sources know. A field
# that the preprocessed units name must not be NONE, and one that nobody names must be, unless its
# word is computed from a neighbour's (the pattern below). Units name fields directly, or rows of
# machine/UNIT_fields.def, which name a field for each unpacker or packer: those of a row are read
# if the unit's sources name the row, or the first row of its group (contexts are added to it).
set -eu
LC_ALL=C
export LC_ALL
root=${SOURCE_DIR:-$(cd "$(dirname "$0")/../.." && pwd)}
compiler=${CC:-cc}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$root"
computed='^ADDR_MOD_(AB|AB2|DST|BIAS)_|^ADDR_MOD_PACK_SEC[0-3]_|^TILE_ROW_SET_MAPPING_'
computed="$computed|_TileDescriptor\$|^TILE_FACE_SET_MAPPING_|^INT_DESCALE_VALUES_SEC"

for file in src/unpack/*.c src/matrix/*.c src/vector/*.c src/pack/*.c src/control/*.c \
    src/frontend/*.c src/tile/*.c src/state/config*.c src/state/dst*.c; do
    [ -f "$file" ] || continue
    # An enumerator stands once in its enumeration; a second time is a use.
    "$compiler" -E -P -Iinclude -Isrc -I. "$file" | grep -oE '[A-Z_]*FIELD_[A-Za-z0-9_]+' |
        sort | uniq -d
done | sort -u > "$work/named"
sed -n 's/^FIELD_//p' "$work/named" > "$work/all"

# rows_of UNIT MACRO: "row fields..." of machine/UNIT_fields.def.
rows_of() {
    {
        echo "#define $2(name, ...) row name __VA_ARGS__ ."
        echo "#include \"machine/$1_fields.def\""
    } > "$work/fields.h"
    "$compiler" -E -P -I. -x c "$work/fields.h" | tr -d '\n' | tr '.' '\n' | tr ',' ' ' |
        sed -n 's/^ *row //p'
}

# fields_of ROWS NAMED: the fields of the rows that are named.
fields_of() {
    awk -v named="$2" '
    BEGIN { while ((getline name < named) > 0) is_named[name] = 1 }
    {
        first = $1
        if (first ~ /(cntx|pair)[0-9]$/) sub(/[0-9]$/, "0", first)
        if (($1 in is_named) || (first in is_named))
            for (i = 2; i <= NF; i++) print $i
        else
            print "no unit names the row " $1 > "/dev/stderr"
    }' "$1"
}

for unit in unpack pack; do
    [ -f "machine/${unit}_fields.def" ] || continue
    macro=$(echo "${unit}_field" | tr '[:lower:]' '[:upper:]')
    rows_of "$unit" "$macro" > "$work/rows_of_unit"
    sed -n "s/^${macro}_//p" "$work/named" > "$work/rows_named"
    fields_of "$work/rows_of_unit" "$work/rows_named" >> "$work/all" 2> "$work/unread"
    if [ ! -s "$work/rows_of_unit" ] || [ -s "$work/unread" ]; then
        cat "$work/unread"
        echo "machine/${unit}_fields.def has no rows, or rows that the unit does not name"
        exit 1
    fi
    # A canary: where the unit names no row, none is read.
    : > "$work/nothing"
    fields_of "$work/rows_of_unit" "$work/nothing" > "$work/read" 2> "$work/unread"
    if [ -s "$work/read" ]; then
        echo "the rows of $unit count as read, whatever it names"
        exit 1
    fi
done
sort -u "$work/all" > "$work/used"

{
    echo '#define CFG(name, wh, bh, group, implemented, page) row name implemented'
    echo '#include "machine/config_fields.def"'
} > "$work/rows.h"
"$compiler" -E -P -I. -x c "$work/rows.h" | awk '$1 == "row" { print $2, $3 }' > "$work/rows"

judge() {
    awk -v computed="$computed" -v used="$1" '
    BEGIN { while ((getline name < used) > 0) is_used[name] = 1 }
    ($1 in is_used) && $2 == "NONE" { print $1 ": a unit reads it, its row says NONE"; bad++ }
    !($1 in is_used) && $2 != "NONE" && $1 !~ computed {
        print $1 ": no unit reads it, its row says " $2
        bad++
    }
    END { exit bad > 0 }' "$work/rows"
}

# A canary: without the uses, the rows must look wrong.
: > "$work/nothing"
if judge "$work/nothing" > /dev/null; then
    echo "the comparison is asleep"
    exit 1
fi
judge "$work/used"
echo "$(wc -l < "$work/used") fields are read by units, and their rows say so"
