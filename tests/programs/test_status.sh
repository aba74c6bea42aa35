#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# docs/status.md is what `tessera status` prints.
set -eu
: "${TESSERA:?}" "${SOURCE_DIR:?}"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

"$TESSERA" status >"$work/status.md"
if ! diff -u "$SOURCE_DIR/docs/status.md" "$work/status.md" >"$work/diff"; then
    head -n 20 "$work/diff"
    echo "docs/status.md is stale; make it anew: build/tessera status > docs/status.md"
    exit 1
fi
# Rows, not an empty page: 128 and 137 instructions have a line each.
[ "$(grep -c '^| [a-z]* | `[A-Z0-9_]*` | ' "$work/status.md")" = 265 ]
# What is implemented or refused has a test that exists.
list=$SOURCE_DIR/cli/explain/data_path.def
sed -n 's/^ENTRY(\([A-Z0-9_]*\), "\(.*\)")$/\1 \2/p' "$list" >"$work/entries"
[ "$(wc -l <"$work/entries")" = "$(grep -c '^ENTRY' "$list")" ]
while read -r mnemonic tests; do
    if [ -z "$tests" ]; then
        ! grep "^| $mnemonic | 0x" "$work/status.md" | grep -v unimplemented ||
            { echo "$mnemonic has no test in cli/explain/data_path.def"; exit 1; }
        continue
    fi
    for name in $(echo "$tests" | tr -d ,); do
        case $name in
        *.c) [ -n "$(find "$SOURCE_DIR/tests" -name "$name")" ] ;;
        *) grep -q "\"name\": *\"$name" "$SOURCE_DIR"/tests/conformance/cases/*.jsonl ;;
        esac || { echo "$mnemonic: there is no test $name"; exit 1; }
    done
done <"$work/entries"
echo "docs/status.md is fresh"
