#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Packs a folder of cases and vectors, laid out CATEGORY/CHIP-NAME.json and numerics/*.txt, into
# OUTPUT/cases/CATEGORY_CHIP.jsonl, OUTPUT/numerics/*.txt and OUTPUT/refused-by-ttsim.csv.
#
#   sh pack_shared.sh FOLDER OUTPUT
set -eu
LC_ALL=C
export LC_ALL
shared=$1
output=$2
here=$(cd "$(dirname "$0")" && pwd)

tool=$(mktemp)
trap 'rm -f "$tool"' EXIT
# shellcheck disable=SC2046 # the flags are words
"${CC:-cc}" -std=c17 -Wall -Wextra -Werror -o "$tool" "$here/packer/pack_cases.c" \
    $(pkg-config --cflags --libs jansson)

mkdir -p "$output/cases" "$output/numerics"
for folder in "$shared"/*/; do
    category=$(basename "$folder")
    [ "$category" = numerics ] && continue
    for chip in wh bh; do
        set -- "$folder/$chip"-*.json
        [ -e "$1" ] || continue
        "$tool" "$output/cases/${category}_$chip.jsonl" "$@"
    done
done
# cat, not cp: the copies shall be writable whatever the originals are.
for file in "$shared"/numerics/*.txt; do
    cat "$file" > "$output/numerics/$(basename "$file")"
done
cat "$shared/refused-by-ttsim.csv" > "$output/refused-by-ttsim.csv"
