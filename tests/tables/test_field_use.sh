#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The rows of the configuration fields say whether a unit reads them; the sources know. A field
# that the preprocessed units name must not be NONE, and one that nobody names must be, unless its
# word is computed from a neighbour's (the pattern below). A name of machine/*_fields.def stands for
# all fields of its row, and some unit must use it.
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

for file in src/unpack/*.c src/matrix/*.c src/pack/*.c src/control/*.c src/frontend/*.c \
    src/tile/*.c src/state/config*.c src/state/dst*.c; do
    [ -f "$file" ] || continue
    # An enumerator stands once in its enumeration; a second time is a use.
    "$compiler" -E -P -Iinclude -Isrc -I. "$file" | grep -oE '[A-Z]*_?FIELD_[A-Za-z0-9_]+' |
        sort | uniq -d
done | sort -u > "$work/named"

for unit in pack unpack; do
    [ -f "machine/${unit}_fields.def" ] || continue
    macro=$(echo "${unit}_FIELD" | tr '[:lower:]' '[:upper:]')
    echo "#define $macro(name, ...) row ${macro}_##name __VA_ARGS__"
    echo "#include \"machine/${unit}_fields.def\""
done > "$work/own.h"
"$compiler" -E -P -I. -x c "$work/own.h" | tr -d , |
    awk '$1 == "row" { for (i = 3; i <= NF; i++) print $2, $i }' > "$work/own"
awk -v own="$work/own" '
    BEGIN {
        while ((getline < own) > 0) fields[$1] = fields[$1] "\n" $2
        close(own)
    }
    $1 in fields { print substr(fields[$1], 2) }
    sub(/^FIELD_/, "") { print }' "$work/named" | sort -u > "$work/used"
unread=$(cut -d ' ' -f 1 "$work/own" | sort -u | comm -23 - "$work/named")
if [ -n "$unread" ]; then
    echo "no unit uses these rows of machine/*_fields.def:" $unread
    exit 1
fi

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
