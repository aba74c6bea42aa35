#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The tables of docs/unpackers.md, packers.md and matrix.md stay true: what `tessera status NAME`
# prints stands there, every test, case and vector that they name exists, every format has a row,
# and the second model of UNPACR meets nothing that its table does not have. With UNPACR_MET, a file
# with what a long run has met (make long), it must have met all of it.
set -eu
: "${TESSERA:?}" "${SOURCE_DIR:?}" "${BUILD_DIR:?}"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
tests=$SOURCE_DIR/tests table=$SOURCE_DIR/tools/docs_table.sh
failed=0

complain()
{
    echo "$*"
    failed=1
}

# ---------------------------------------------------------------- what a document names

# One name in backticks a line.
names_of()
{
    grep -o '`[^`]*`' "$1" | tr -d '`' | sort -u
}

macros='cmocka_unit_test|cmocka_unit_test_setup|TILE_TEST|VECTORS|P'
# has_test FILE NAME: the file has a test, a table of vectors or a counted path of that name.
has_test()
{
    found=$(find "$tests" -name "$1")
    [ -n "$found" ] &&
        grep -Eq "($macros)\\($2[,)]" "$found"
}

# False: no such thing. Names that mean no test are none of our business.
exists()
{
    case $1 in
    *[*\ ]*) ;;
    ::*) has_test test_pack_vectors_pairs.c "${1#::}" ;;
    :*) has_test "test_${unit}_vectors_formats.c" "${1#:}" ;;
    test_*.c:* | *_model.h:* | *_cases.h:*) has_test "${1%%:*}" "${1#*:}" ;;
    test_*.c) [ -n "$(find "$tests" -name "$1")" ] ;;
    tests/*) ls "$SOURCE_DIR/$1"* ;;
    unpack/*.[ch] | pack/*.[ch] | matrix/*.[ch] | numerics/*.[ch] | kernels/*.[ch])
        [ -e "$SOURCE_DIR/src/$1" ]
        ;;
    unpack_*.[ch]) [ -e "$SOURCE_DIR/src/unpack/$1" ] ;;
    pack_random.h) [ -e "$SOURCE_DIR/src/numerics/$1" ] ;;
    pack_*.[ch]) [ -e "$SOURCE_DIR/src/pack/$1" ] ;;
    unpack/* | pack/* | matrix/*) grep -q "\"name\": *\"${1%…}" "$work/cases" ;;
    *.txt) [ -e "$tests/conformance/numerics/$1" ] ;;
    esac >"$work/listed" 2>&1
}

check_names()
{
    unit=$(basename "$1" ers.md)
    names_of "$1" >"$work/names"
    while read -r name; do
        exists "${name%\*}" || complain "$(basename "$1"): there is no '$name'"
    done <"$work/names"
}

cat "$tests"/conformance/*/*.jsonl >"$work/cases"
# A canary for each kind of name.
unit=pack
for name in :nothing ::nothing test_unpack.c:test_nothing unpacr_model.h:NOTHING \
    pacr_cases.h:NOTHING test_nothing.c \
    tests/nothing.c unpack/nothing.c matrix/nothing.c matrix/nothing pack_nothing.c \
    unpack/srca/nothing unpack/nothing… \
    nothing.txt; do
    exists "$name" && complain "a wrong name passes: $name"
done

# ---------------------------------------------------------------- tables

# Tables of modes are those of the rows; make them anew with tools/docs_table.sh put.
check_modes()
{
    sed -n 's/^<!-- tessera status \(.*\) -->$/\1/p' "$1" >"$work/marks"
    while read -r name; do
        "$TESSERA" status "$name" >"$work/want"
        "$table" get "$1" "tessera status $name" | diff - "$work/want" >"$work/diff" || {
            complain "$(basename "$1") does not have what tessera status $name prints"
            head -n 6 "$work/diff"
        }
    done <"$work/marks"
}

# Single datums of a conversion are among the vectors where its cell says unpack.txt or pack.txt,
# and only there; and no format is without a row. Cells 2, 3 and 4 of unpackers are SrcA, SrcB and
# Dst, 2 and 3 of packers 32-bit and 16-bit Dst.
check_vectors()
{
    "$TESSERA" explain --list | sed -n 's/^format //p' >"$work/formats"
    while read -r format; do
        grep -q "^| $format → " "$unpackers" || complain "no row for $format in unpackers.md"
        grep -q "^| $format | " "$packers" || complain "no row for $format in packers.md"
        "$TESSERA" explain "$format" | sed -n "s/^  code *\(.*\)/$format \1/p" >>"$work/codes"
    done <"$work/formats"
    awk '
        function compare(way, i, has, file) {
            if ((cell[i] ~ "`" file "`") != has) print way ", cell " i ": " file " disagrees"
        }
        FILENAME ~ /codes$/ { code[$1] = $2; next }
        FILENAME ~ /unpack.txt$/ { seen[$2, $3, $4] = 1; next }
        FILENAME ~ /pack(_bfp)?.txt$/ { packed[$2, $4] = 1; next }
        /^## / { speeds = $2 == "Speed" }
        speeds { next }
        { split($0, cell, " [|] "); split(substr(cell[1], 3), way, " → ") }
        FILENAME ~ /unpackers.md$/ && /^[|] [A-Za-z0-9]+ → [A-Za-z0-9]+ [|]/ {
            split("- SrcA SrcB Dst", where, " ")
            for (i = 2; i <= 4; i++)
                compare(substr(cell[1], 3), i, (where[i], code[way[1]], code[way[2]]) in seen,
                        "unpack.txt")
        }
        FILENAME ~ /packers.md$/ && FILENAME !~ /unpackers.md$/ && way[1] in code {
            for (i = 2; i <= 3; i++)
                compare(way[1], i, (i == 2 ? 1 : 0, code[way[1]]) in packed, "pack.txt")
        }' "$work/codes" "$tests"/conformance/numerics/unpack.txt \
        "$tests"/conformance/numerics/pack*.txt "$unpackers" "$packers" >"$work/wrong"
    [ ! -s "$work/wrong" ] || complain "$(cat "$work/wrong")"
}

# Points that are chosen have an entry of their own: the numbers of the last column, ranges too.
check_errata()
{
    awk -F ' *[|] *' '/^\| point \|/ { inside = 1; next } $0 == "" { inside = 0 }
        inside && NF > 4 && $(NF - 1) ~ /^[0-9]/ {
            count = split($(NF - 1), part, ", *")
            for (i = 1; i <= count; i++) {
                last = split(part[i], end, " to ")
                for (n = end[1] + 0; n <= end[last] + 0; n++) print n
            } }' "$1" | sort -un >"$work/errata"
    while read -r number; do
        grep -q "^\*\*$number\. " "$SOURCE_DIR/docs/errata.md" ||
            complain "$(basename "$1"): docs/errata.md has no $number"
    done <"$work/errata"
}

# The pages of the modes are implemented by files that name them.
check_pages()
{
    for name in UNPACR UNPACR_NOP PACR PACR_SETREG; do
        "$TESSERA" explain "$name" | sed -n 's/^    page *//p'
    done | sort -u >"$work/pages"
    while read -r page; do
        grep -rqF "$page" "$SOURCE_DIR/src" || complain "no source names the page $page"
    done <"$work/pages"
}

# Letters of the second table that the first lacks; a capital has its small letter in it.
missing_letters()
{
    awk -F ' *[|] *' '
        NR == FNR { for (i = 3; i < NF; i++) has[$2, i] = $i; next }
        { for (i = 3; i < NF; i++)
            for (k = 1; k <= length($i); k++) {
                letter = substr($i, k, 1)
                if (index(has[$2, i], letter) == 0 && index(has[$2, i], toupper(letter)) == 0)
                    print $2 ", column " i - 2 ": " letter
            } }' "$1" "$2"
}

check_meetings()
{
    met=${UNPACR_MET:-}
    "$table" get "$unpackers" "test_unpacr_oracle 1000000" >"$work/has"
    if [ -n "$met" ]; then
        missing_letters "$met" "$work/has" >"$work/wrong"
        [ ! -s "$work/wrong" ] || complain "not met: $(cat "$work/wrong")"
    else
        met=$work/met
        "$BUILD_DIR/tests/oracle/test_unpacr_oracle" 3000 2 "$met" >"$work/oracle" 2>&1 ||
            complain "test_unpacr_oracle fails"
    fi
    [ "$(wc -l <"$work/has")" = "$(wc -l <"$met")" ] || complain "unpackers.md: rows are missing"
    missing_letters "$work/has" "$met" >"$work/wrong"
    [ ! -s "$work/wrong" ] || complain "not in the table: $(cat "$work/wrong")"
}

unpackers=$SOURCE_DIR/docs/unpackers.md packers=$SOURCE_DIR/docs/packers.md
for doc in "$unpackers" "$packers" "$SOURCE_DIR/docs/matrix.md"; do
    check_names "$doc"
    check_modes "$doc"
    check_errata "$doc"
done
twice=$(grep -o '^\*\*[0-9]*\. ' "$SOURCE_DIR/docs/errata.md" | sort | uniq -d)
[ -z "$twice" ] || complain "docs/errata.md has two entries of one number: $twice"
[ -s "$work/errata" ] || complain "docs/matrix.md has no table of points"
check_vectors
check_pages
check_meetings
# A letter too many is seen.
sed 's/| ABD |/| AB |/' "$work/has" >"$work/less"
[ -n "$(missing_letters "$work/less" "$work/has")" ] || complain "a missing letter passes"
[ $failed = 0 ] && echo "tables of unpackers, packers and the matrix unit are true"
exit $failed
